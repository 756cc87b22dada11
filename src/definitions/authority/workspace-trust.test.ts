import path from "node:path"
import { expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import { put } from "../../../test/file-kit.ts"
import { collectTrustedEndpoints, isConfigurationTrusted, listAgentFiles } from "./workspace-trust.ts"

const agent = (name: string, keys: string) =>
  `---\nname: ${name}\ndescription: It is ${name}.\n${keys}\n---\nDo it.\n`
const far = (name: string, host: string) =>
  agent(name, `tools: [read]\nmodel_config: {model: m, endpoint: 'https://${host}/v1'}`)

test("each file is trusted, changed or unknown, by its content", () => {
  const project = testProject({ "work/.claude/agents/a.md": agent("a", "tools: Read") })
  const file = path.join(project.work, ".claude/agents/a.md")
  const { hash } = project.standing().claims[0]!
  const states = () => {
    const { of } = project.standing()
    return [of({ file, hash }), of({ file, hash: "other" }), of({ file, hash, use: "read" })]
  }
  expect(states()).toEqual(["unknown", "unknown", "unknown"])
  project.trust()
  expect(states()).toEqual(["trusted", "changed", "unknown"])
})

test("the gains and the text of a file are shown as they were trusted, and other names have none", () => {
  const text = agent("a", "tools: Read")
  const project = testProject({ "work/.claude/agents/a.md": text })
  const shown = (name: string) => project.standing().shown(path.join(project.work, name))
  expect(shown(".claude/agents/a.md")).toBe(undefined)
  project.trust()
  put(project.work, { ".claude/agents/a.md": agent("a", "tools: Bash") })
  expect(["claims", ".claude/agents/a.md", "constructor"].map(shown)).toEqual([
    undefined,
    { gains: ["tools: Read"], text },
    undefined,
  ])
})

test("the claims are read once", () => {
  const standing = testProject({
    "work/.claude/agents/a.md": agent("a", "tools: Read"),
  }).standing()
  expect(standing.claims).toBe(standing.claims)
})

test("only addresses in trusted files count, each once", () => {
  const project = testProject({
    "work/.codex/agents/a.md": far("a", "one.example"),
    "work/.codex/agents/b.md": far("b", "one.example"),
    "work/.codex/agents/c.md": far("c", "two.example"),
    "work/.codex/agents/d.md": far("d", "three.example"),
  })
  expect(collectTrustedEndpoints(project.standing())).toEqual([])
  project.trust((file) => !file.endsWith("d.md"))
  expect(collectTrustedEndpoints(project.standing())).toEqual([
    "https://one.example/v1",
    "https://two.example/v1",
  ])
})

test("a configuration is trusted if all its files in the project are", () => {
  const project = testProject({
    "home/.config/cadre/config.yaml": "mode: default\n",
    "work/.cadre/config.yaml": "mode: plan\n",
    "work/.claude/agents/a.md": agent("a", "tools: Read"),
  })
  const isTrusted = () => isConfigurationTrusted(project.workspace(), project.standing())
  const states = [isTrusted()]
  project.trust((file) => file.endsWith("a.md"))
  states.push(isTrusted())
  project.trust()
  states.push(isTrusted())
  put(project.work, { ".cadre/config.yaml": "mode: default\n" })
  expect([...states, isTrusted()]).toEqual([false, false, true, false])
})

test("a project without a configuration has none to trust", () => {
  const project = testProject({ "work/.claude/agents/a.md": agent("a", "tools: Read") })
  project.trust()
  expect(isConfigurationTrusted(project.workspace(), project.standing())).toBe(false)
})

test("only files that define agents are listed as such", () => {
  const project = testProject({
    "work/.cadre/config.yaml": "mode: plan\n",
    "work/.claude/agents/a.md": agent("a", "tools: Read"),
    "work/.claude/skills/style/SKILL.md": "Be brief.\n",
  })
  expect(project.below(listAgentFiles(project.standing()))).toEqual(["work/.claude/agents/a.md"])
})
