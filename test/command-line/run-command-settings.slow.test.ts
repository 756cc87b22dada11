import path from "node:path"
import { describe, expect, test } from "vitest"
import { dispatched } from "../dispatch-kit.ts"
import { put, temporaryFolder } from "../file-kit.ts"

describe("doctor", () => {
  test("tells what holds commands, what is missing, and what is not trusted", async () => {
    const base = temporaryFolder({
      "work/.git/HEAD": "",
      "work/.claude/agents/theirs.md":
        "---\nname: theirs\ndescription: Does theirs.\ntools: Bash\n---\n\nYou are theirs.\n",
    })
    const environment = {
      HOME: path.join(base, "home"),
      CADRE_STATE_DIR: path.join(base, "state"),
      CADRE_CONFIG_DIR: path.join(base, "config"),
    }
    const cadre = (...words: readonly string[]) =>
      dispatched(words, { directory: path.join(base, "work"), environment })
    const { code, stdout } = await cadre("doctor", "--try", "--json")
    const result = JSON.parse(stdout)
    const found = (part: string, what: string) =>
      result.findings.find((one: Record<string, string>) => one.part === part && one.what?.endsWith(what))
    expect(code).toBe(0)
    expect(found("Tools", "sandbox for Bash").state).toMatch(/^\/\S+ works, network none$|^not available$/)
    expect(found("Tools", "ripgrep")).toBeDefined()
    expect(found("Tools", "WebSearch")).toMatchObject({ level: "note" })
    expect(found("Trust", "work")).toMatchObject({
      state: "not trusted",
      remedy: expect.stringMatching(/`cadre trust`/),
    })
    expect(found("Trust", "theirs.md")).toMatchObject({
      state: "not trusted",
      reason: expect.stringMatching(/^Agent "theirs" will not run: .*may run commands \(Bash\)\./),
    })
    put(base, { "config/config.yaml": "sandbox: off\n" })
    expect((await cadre("doctor")).stdout).toMatch(
      /sandbox for Bash +off +Your configuration turns it off\. .*can outlive/,
    )
  })
})
