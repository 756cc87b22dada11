import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { builtInAgents } from "../../agent/built-in-agents.ts"
import { toDisplayPath } from "../../ground/diagnostics/display-path.ts"
import { splitFrontmatter } from "../formats/document/frontmatter.ts"
import { readPlainYaml } from "../formats/document/plain-yaml.ts"
import { SubagentRegistry } from "./registry.ts"
import { openWorkspace, type WorkspaceOptions } from "./workspace.ts"

const names = Object.keys(builtInAgents)
let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "cadre-built-in-"))
  mkdirSync(path.join(base, ".git"))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): string {
  const full = path.join(base, file)
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

const open = (options: WorkspaceOptions = {}) =>
  openWorkspace({ cwd: base, home: path.join(base, "home"), environment: {}, ...options }).registry

/** By name: the scope of the definition that is used, and the state of the others. */
const became = (registry: SubagentRegistry, name: string) =>
  registry
    .entries()
    .filter(({ candidate }) => candidate.agent.name === name)
    .map(({ candidate: { scope }, state }) =>
      state.type === "shadowed"
        ? `${scope} shadowed by ${toDisplayPath(state.by, base)}`
        : `${scope} ${state.type}`,
    )

const markdown = (keys: string) => `---\n${keys}\n---\n\nDo the work.\n`

describe("whether they are there", () => {
  test("in a workspace they are, unless it is opened without them", () => {
    expect(open().names()).toEqual(names)
    expect(open({ builtInAgents: "none" }).names()).toEqual([])
  })

  test("in a registry only where it is asked for them, and of what is hidden nothing is read", () => {
    const read: string[] = []
    const registry = new SubagentRegistry({ onRead: (file) => read.push(path.basename(file)) })
    registry.autoDiscover({ cwd: base, home: base, userFolder: base })
    expect([registry.names(), read]).toEqual([[], []])
    registry.loadBuiltIn({ hide: ["critic", "worker"] })
    expect(registry.names()).toEqual(names.filter((name) => name !== "critic" && name !== "worker"))
    expect(read).toEqual(registry.names().map((name) => builtInAgents[name]))
    registry.clear()
    registry.loadBuiltIn({ hide: ["*"] })
    expect(registry.names()).toEqual([])
  })

  test.each([
    ["one", "[critic]", names.filter((name) => name !== "critic")],
    ["all", "'*'", []],
    ["one that is not there", "[critc]", names],
  ])("the configuration hides %s", (_, hidden, left) => {
    put(".cadre/config.yaml", `hide_built_in_agents: ${hidden}\n`)
    expect(open().names()).toEqual(left)
  })

  test.each(Object.values(builtInAgents))("%s is plain YAML: to list it loads no library", (file) => {
    const text = readFileSync(path.resolve(import.meta.dirname, "../../../agents", file), "utf8")
    const split = splitFrontmatter(text)
    expect(readPlainYaml(split.type === "split" ? split.yaml : text)).toBeDefined()
  })

  test("nothing changes when they are looked at again", () => {
    const registry = open()
    const before = registry.get("explorer")
    expect(registry.reload()).toEqual({ added: [], changed: [], removed: [] })
    expect(registry.get("explorer")).toBe(before)
  })
})

describe("every other one of the name comes first, and nobody is told off for it", () => {
  test.each([
    ["the project's", ".cadre/agents/explorer.md", "project"],
    ["another format's", ".claude/agents/explorer.md", "project"],
    ["the user's", "home/.claude/agents/explorer.md", "user"],
  ])("%s, though it may do more", (_, file, scope) => {
    put(file, markdown("name: explorer\ndescription: Explores and changes.\ntools: [Read, Bash, Write]"))
    const registry = open()
    expect(became(registry, "explorer")).toEqual([`${scope} active`, `built-in shadowed by ${file}`])
    expect(registry.diagnostics()).toEqual([])
  })

  test("one in code", () => {
    const registry = open()
    registry.register({ name: "explorer", instructions: "Explore." })
    expect(became(registry, "explorer")).toEqual(["project active", "built-in shadowed by code"])
  })

  test("one that has the name as another one", () => {
    put(".cadre/agents/scout.md", markdown("name: scout\ndescription: Scouts.\naliases: [explorer]"))
    const registry = open()
    expect(became(registry, "explorer")).toEqual(["built-in shadowed by .cadre/agents/scout.md"])
    expect(registry.get("explorer").name).toBe("scout")
    expect(registry.diagnostics()).toEqual([])
  })

  test.each([
    ["by its name", "name: explorer\ndescription: Mine.\nallowed_tools: [Read]", ["project broken"]],
    ["by another one", "name: scout\ndescription: Mine.\nallowed_tools: [Read]\naliases: [explorer]", []],
  ])("a broken one comes first, too, %s: the built-in is not used in its place", (_, keys, broken) => {
    put(".cadre/agents/explorer.md", markdown(keys))
    const registry = open()
    expect(became(registry, "explorer")).toEqual([
      ...broken,
      "built-in shadowed by .cadre/agents/explorer.md",
    ])
    expect(registry.find("explorer")).toBeUndefined()
    expect(() => registry.get("explorer")).toThrow(/^Subagent 'explorer' is broken: .*allowed_tools/)
    expect(registry.diagnostics().map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      "error key-restricting",
    ])
  })

  test("names and descriptions that are like theirs are fine", () => {
    const { description } = open().get("explorer")
    put(".claude/agents/a.md", markdown(`name: Explorer\ndescription: ${description}`))
    expect(open().diagnostics()).toEqual([])
  })

  test("they can be delegated to, and a name that is nearly theirs is mended", () => {
    put(
      ".cadre/agents/lead.md",
      markdown("name: lead\ndescription: Leads.\ntools: [Read, 'Agent(explorer)']"),
    )
    expect(open().diagnostics()).toEqual([])
    put(".cadre/agents/lead.md", markdown("name: lead\ndescription: Leads.\ntools: [Read, 'Agent(explorr)']"))
    expect(
      open()
        .diagnostics()
        .map(({ message }) => message),
    ).toEqual([expect.stringMatching(/`explorr`.*call.*fail.*`explorer`.?$/)])
  })
})
