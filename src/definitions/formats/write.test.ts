import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type Agent, defineAgent } from "../../agent/agent.ts"
import { meansEveryTool } from "../../agent/format-traits.ts"
import type { Field } from "./fields/field.ts"
import type { Format } from "./format.ts"
import { formats } from "./index.ts"
import { readAgent } from "./read-agent.ts"
import { writeAgent } from "./write.ts"

const formatOf = (id: string): Format => formats.find((format) => format.id === id)!

/** An agent from a file of this format that lists no tools. */
function unlisted(id: string): Agent {
  const agent = defineAgent({ name: "helper", description: "Helps.", instructions: "Help." })
  return { ...agent, origin: { format: id } }
}

function converted(from: string, to: string) {
  const file = `helper${formatOf(to).locations.extensions[0]}`
  const { text, losses } = writeAgent(formatOf(to), unlisted(from), file)
  const { agent } = readAgent(formatOf(to), { path: file, text })
  return {
    tools: agent?.tools.mode === "list" ? agent.tools.allow : "none listed",
    losses: losses.filter(({ field }) => field === "tools").map(({ message }) => message),
  }
}

const widened = (title: string) => naming("caller", `${title}`, "tree")

describe("a definition without a list keeps its meaning", () => {
  test.each<[string, string, readonly string[] | "none listed", readonly string[]]>([
    ["claude", "cadre", ["*"], []],
    ["acai", "cadre", ["*"], []],
    ["gobby", "cadre", ["*"], []],
    ["codex-md", "cadre", ["*"], [expect.stringMatching(/Codex.*cadre.*Deny/)]],
    ["claude", "claude", "none listed", []],
    ["claude", "gobby", "none listed", []],
    ["claude", "codex-md", "none listed", [expect.stringMatching(/Codex.*subagent/)]],
    ["cadre", "cadre", "none listed", []],
    ["code", "cadre", "none listed", []],
    ["cadre", "claude", "none listed", [widened("Claude Code")]],
    ["code", "gobby", "none listed", [widened("Gobby")]],
  ])("from %s to %s", (from, to, tools, losses) => {
    expect(converted(from, to)).toEqual({ tools, losses })
  })
})

test("the page of a format says what a definition without a list has", () => {
  for (const { id, fields } of formats) {
    const tools = (fields as readonly Field[]).find(({ into }) => into === "tools.allow")
    const meant = meansEveryTool(id) ? /tool.*tree/ : /^the tools of its caller/
    if (tools?.otherwise !== undefined)
      expect([id, tools.otherwise]).toEqual([id, expect.stringMatching(meant)])
  }
})
