import { expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import { put } from "../../../test/file-kit.ts"
import { readTrustedWorkflows } from "./trusted-workflows.ts"

const steps = "steps: [{name: a}]\n"

test("a project's workflow needs trust in its content, and an untrusted one keeps its name", () => {
  const project = testProject({
    "home/.config/cadre/workflows/mine.yaml": steps,
    "work/.cadre/workflows/ours.yaml": steps,
    "work/.cadre/lifecycles/hooks.yaml": "before_tool: [{effects: [{type: block, reason: no}]}]\n",
  })
  const read = (trusting: "all" | "kept") =>
    readTrustedWorkflows(project.workspace(), trusting === "all" ? "all" : project.standing())
  const usable = (name: string) => ({ name, workflow: { steps: [{ name: "a" }] } })
  const refused = {
    ...usable("ours"),
    isUntrusted: true,
    refused: expect.stringContaining(`${project.work}/.cadre/workflows/ours.yaml is not trusted`),
  }
  expect(read("kept")).toEqual([usable("mine"), refused])
  expect(read("all")).toEqual([usable("mine"), usable("ours")])
  project.trust()
  expect(read("kept")).toEqual([usable("mine"), usable("ours")])
  put(project.work, { ".cadre/workflows/ours.yaml": `${steps}# changed\n` })
  expect(read("kept")).toEqual([usable("mine"), refused])
})

test("a pipeline of Gobby keeps its name and the reason why agents cannot follow it", () => {
  const project = testProject({ "home/.gobby/workflows/p.yaml": "type: pipeline\nsteps: [{id: a}]\n" })
  expect(readTrustedWorkflows(project.workspace(), project.standing())).toEqual([
    { name: "p", workflow: {}, refused: expect.stringContaining("pipeline") },
  ])
})

test.each<[string, Readonly<Record<string, string>>, object | undefined]>([
  ["no rules if it imports nothing", { "w.yaml": steps }, undefined],
  [
    "its own rules if the imported file is missing",
    { "w.yaml": `imports: [gone]\nrule_definitions: {own: {tools: [Bash]}}\n${steps}` },
    { own: { tools: ["Bash"] } },
  ],
  ["no rules if it has none and the imported file is missing", { "w.yaml": `imports: [gone]\n${steps}` }, {}],
  [
    "the imported rules, the last import and its own rules first",
    {
      "w.yaml": `imports: [one, two]\nrule_definitions: {c: {tools: [Own]}}\n${steps}`,
      "one.yaml": "rule_definitions: {a: {tools: [One]}, b: {tools: [One]}, c: {tools: [One]}}\n",
      "deep/two.yml": "rule_definitions: {b: {tools: [Two]}}\n",
    },
    { a: { tools: ["One"] }, b: { tools: ["Two"] }, c: { tools: ["Own"] } },
  ],
  [
    "no rules of an import without rules, or with invalid YAML",
    {
      "w.yaml": `imports: [one, two]\n${steps}`,
      "one.yaml": "name: one\n",
      "two.yaml": "rule_definitions: {a: [}\n",
    },
    {},
  ],
])("a workflow of Gobby has %s", (_, files, expected) => {
  const inside = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`work/.gobby/workflows/${name}`, text]),
  )
  const project = testProject(inside)
  const workflows = readTrustedWorkflows(project.workspace(), "all")
  const { workflow } = workflows.find(({ name }) => name === "w")!
  expect((workflow as { rule_definitions?: object }).rule_definitions).toEqual(expected)
})

test("rules are imported from trusted Gobby files only, and the project's file overrides the user's", () => {
  const rule = (tool: string) => `rule_definitions: {r: {tools: [${tool}]}}\n`
  const project = testProject({
    "home/.gobby/workflows/w.yaml": `imports: [shared]\n${steps}`,
    "home/.gobby/workflows/shared.yaml": rule("User"),
    "work/.cadre/lifecycles/shared.yaml": rule("Wrong"),
  })
  const imported = () => {
    const [named] = readTrustedWorkflows(project.workspace(), project.standing()).filter(
      ({ name }) => name === "w",
    )
    return (named!.workflow as { rule_definitions?: object }).rule_definitions
  }
  expect(imported()).toEqual({ r: { tools: ["User"] } })
  put(project.work, { ".gobby/workflows/shared.yaml": rule("Project") })
  expect(imported()).toEqual({})
  project.trust()
  expect(imported()).toEqual({ r: { tools: ["Project"] } })
})
