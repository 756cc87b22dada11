import { describe, expect, test } from "vitest"
import { formats } from "./index.ts"
import { readAgent } from "./read-agent.ts"

const format = (id: string) => formats.find((known) => known.id === id)!
const read = (id: string, keys: string) => {
  const text = `---\nname: abc\ndescription: d\n${keys}\n---\n\nBody.\n`
  const { agent, problems } = readAgent(format(id), { path: "/x/abc.md", text })
  return { agent, codes: problems.map(({ code }) => code) }
}

describe("a provider's key in a file is said and not kept", () => {
  test.each([
    ["claude", "apiKey: sk-live-1"],
    ["acai", "api_key: sk-live-1"],
    ["codex-md", "api-key: sk-live-1"],
    ["codex-md", "model_config: {provider: openai, model: gpt-5, api_key: sk-live-1}"],
  ])("%s: %s", (id, keys) => {
    const { agent, codes } = read(id, keys)
    expect(codes).toContain("secret-in-file")
    expect(agent).toBeDefined()
    expect(JSON.stringify(agent)).not.toContain("sk-live")
  })

  test("the name of a variable is no key", () => {
    const { agent, codes } = read("claude", "api_key: $OPENAI_API_KEY")
    expect(codes).not.toContain("secret-in-file")
    expect(agent?.extensions).toEqual({ claude: { api_key: "$OPENAI_API_KEY" } })
  })
})
