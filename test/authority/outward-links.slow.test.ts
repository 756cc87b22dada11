import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.agent("asking", ["context: {rules: true}"])
  world.script({ asking: [{ text: "Done." }] })
})
afterEach(() => world.remove())

function link(from: string, to: string): void {
  const place = path.join(world.base, from)
  mkdirSync(path.dirname(place), { recursive: true })
  symlinkSync(path.join(world.base, to), place)
}

/** Everything that cadre keeps, as one text. */
const state = () =>
  readdirSync(path.join(world.base, "state"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n")

describe("124: a link that leads out of a project shows nothing of what it leads to", () => {
  test.each([
    ["its configuration", "work/.cadre/config.yaml", "error"],
    ["the folder of its configuration", "work/.cadre", "error"],
    ["a set of hooks", "work/.cadre/lifecycles/config.yaml", "error"],
    ["a workflow", "work/.cadre/workflows/config.yaml", "error"],
    ["an agent", "work/.claude/agents/config.md", "warning"],
    ["a skill", "work/.claude/skills/config/SKILL.md", "warning"],
    ["the folder of a skill", "work/.claude/skills/config", "warning"],
  ])("%s", async (_, from, severity) => {
    const secret = "token: 0123-private-9876\n"
    world.put("outside/config.yaml", secret)
    world.put("outside/SKILL.md", secret)
    const isFolder = !path.basename(from).includes(".", 1)
    link(from, isFolder ? "outside" : "outside/config.yaml")
    const found = (await world.json("check")).result.diagnostics
    expect(found[0]).toMatchObject({ code: "link-outside", severity })
    for (const words of [
      ["check"],
      ["check", "."],
      ["trust", "--yes"],
      ["run", "asking", "Go.", ...world.model],
    ]) {
      const { stdout, stderr } = await world.cadre(...words)
      expect(stdout + stderr).not.toContain("private")
    }
    expect(state()).not.toContain("private")
  })

  test("hooks of another project that is pointed at", async () => {
    world.put("outside/config.yaml", "token: 0123-private-9876\n")
    link("other/.cadre/lifecycles/config.yaml", "outside/config.yaml")
    const { code, stdout } = await world.cadre("check", "../other")
    expect([code, stdout]).toEqual([1, expect.stringContaining("link-outside")])
    expect(stdout).not.toContain("private")
  })

  test("rules", async () => {
    world.put("outside/rules.md", "The token is 0123-private-9876.\n")
    link("work/AGENTS.md", "outside/rules.md")
    expect((await world.cadre("trust", "--yes")).stdout).toContain("Nothing here needs trust.")
    expect((await world.cadre("run", "asking", "Go.", ...world.model)).code).toBe(0)
    expect(state()).not.toContain("private")
  })
})

test("a link that stays in the project is followed", async () => {
  world.put("work/shared/config.yaml", "subagents: {enabled: false}\n")
  world.put("work/shared/SKILL.md", "Be brief.\n")
  link("work/.cadre/config.yaml", "work/shared/config.yaml")
  link("work/.claude/skills/style", "work/shared")
  expect((await world.json("check")).result.diagnostics).toEqual([
    {
      code: "subagents-disabled",
      severity: "error",
      message: naming("feature is disabled", "`subagents.enabled`"),
      file: ".cadre/config.yaml",
      range: { start: { line: 1, column: 22 }, end: { line: 1, column: 27 } },
    },
  ])
  expect((await world.cadre("trust", "--yes")).stdout).toMatch(
    /sets subagents\.enabled to false.*skill style/s,
  )
  expect((await world.json("run", "asking", "Go.", ...world.model)).result.error.code).toBe(
    "SUBAGENTS_DISABLED",
  )
})

test("a user's own may lead anywhere", async () => {
  world.put("outside/config.yaml", "subagents: {enabled: false}\n")
  link("config/config.yaml", "outside/config.yaml")
  expect((await world.json("run", "asking", "Go.", ...world.model)).result.error.code).toBe(
    "SUBAGENTS_DISABLED",
  )
})
