import { expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import { findDisabledHooks, findUntrustedHooks } from "./untrusted-hooks.ts"

const block = "before_tool: [{effects: [{type: block, reason: no}]}]\n"
const hooks = `hooks:\n  ${block}`

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ["hooks of the user", { "home/.config/cadre/lifecycles/a.yaml": block }, []],
  ["hooks in the user's configuration", { "home/.config/cadre/config.yaml": hooks }, []],
  ["a configuration without hooks", { "work/.cadre/config.yaml": "mode: plan\n" }, []],
  ["hooks in the configuration", { "work/.cadre/config.yaml": hooks }, ["work/.cadre/config.yaml"]],
  ["a hook file", { "work/.cadre/lifecycles/a.yaml": block }, ["work/.cadre/lifecycles/a.yaml"]],
  ["a file of invalid hooks", { "work/.cadre/lifecycles/a.yaml": "x: [" }, ["work/.cadre/lifecycles/a.yaml"]],
  ["a workflow", { "work/.cadre/workflows/a.yaml": "steps: [{name: a}]\n" }, []],
  ["steps of Gobby", { "work/.gobby/workflows/a.yaml": "name: a\ntype: step\nsteps: [{name: b}]\n" }, []],
])("%s: listed until the project is trusted", (_, files, expected) => {
  const project = testProject(files)
  const found = () => project.below(findUntrustedHooks(project.workspace(), project.standing()))
  expect(found()).toEqual(expected)
  project.trust()
  expect(found()).toEqual([])
})

test("the last configuration file counts for hooks of an untrusted configuration", () => {
  const project = testProject({
    "home/.config/cadre/config.yaml": "mode: default\n",
    "work/.cadre/config.yaml": hooks,
    "work/.cadre/lifecycles/a.yaml": block,
  })
  expect(project.below(findUntrustedHooks(project.workspace(), project.standing()))).toEqual([
    "work/.cadre/config.yaml",
    "work/.cadre/lifecycles/a.yaml",
  ])
})

test("hook files that are switched off are listed with the reason, unless they have no hooks", () => {
  const rules = "tool_rules: [{tools: [Bash], reason: No.}]\n"
  const project = testProject({
    "work/.cadre/lifecycles/own.yaml": block,
    "work/.gobby/workflows/off.yaml": `enabled: false\ntype: lifecycle\n${rules}`,
    "work/.gobby/workflows/on.yaml": `enabled: true\ntype: lifecycle\n${rules}`,
    "work/.gobby/workflows/empty.yaml": "enabled: false\ntype: lifecycle\n",
  })
  expect(findDisabledHooks(project.workspace())).toEqual([
    { file: `${project.work}/.gobby/workflows/off.yaml`, why: "it says `enabled: false`" },
  ])
})
