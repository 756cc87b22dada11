import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { type TestProject, testProject } from "../../../test/authority/project-kit.ts"
import { put } from "../../../test/file-kit.ts"
import { explainLostTrust, findMissingGates } from "./lost-trust.ts"

const block = "before_tool: [{effects: [{type: block, reason: no}]}]\n"
const files = {
  "work/.cadre/config.yaml": "mode: plan\n",
  "work/.cadre/lifecycles/hooks.yaml": block,
  "work/.cadre/workflows/steps.yaml": "steps: [{name: a}]\n",
  "work/.claude/agents/a.md": "---\nname: a\ndescription: A.\ntools: Read\n---\nDo it.\n",
  "work/.gobby/workflows/deprecated/old.yaml": "name: old\n",
  "home/.config/cadre/lifecycles/mine.yaml": block,
}

/** The lost files, as they are reported: first those that are gone, then those that changed. */
function lost(project: TestProject, following: "all" | "kept" = "kept", cwd?: string) {
  const text = explainLostTrust(project.workspace(cwd), project.standing(), {
    following,
    option: "--accept",
    displayPath: (file) => path.relative(project.work, file),
  })
  if (text === undefined) return undefined
  const named = (pattern: RegExp) => pattern.exec(text)?.[1]
  return {
    gone: named(/with them their rules: (.*?)\. Run/),
    changed: named(/here have changed: (.*?)\. Run/),
    option: text.includes("--accept"),
  }
}

const change = (...names: readonly string[]) => {
  return ({ work }: TestProject) => put(work, Object.fromEntries(names.map((name) => [name, "stop: []\n"])))
}
const remove = (name: string) => {
  return ({ work }: TestProject) => fs.rmSync(path.join(work, name))
}
const [settings, hooks, steps] = [
  ".cadre/config.yaml",
  ".cadre/lifecycles/hooks.yaml",
  ".cadre/workflows/steps.yaml",
]

test.each<[string, (project: TestProject) => void, object | undefined, object | undefined]>([
  ["nothing", () => {}, undefined, undefined],
  ["changed settings", change(settings), { changed: settings, option: true }, undefined],
  ["changed hooks", change(hooks), { changed: hooks, option: true }, undefined],
  [
    "changed settings and hooks",
    change(settings, hooks),
    { changed: `${settings}, ${hooks}`, option: true },
    undefined,
  ],
  ["a changed workflow", change(steps), undefined, undefined],
  ["a changed agent", change(".claude/agents/a.md"), undefined, undefined],
  ["changed hooks that Gobby skips", change(".gobby/workflows/deprecated/old.yaml"), undefined, undefined],
  ["new hooks", change(".cadre/lifecycles/new.yaml"), undefined, undefined],
  ["settings that are gone", remove(settings), { gone: settings }, { gone: settings }],
  ["hooks that are gone", remove(hooks), { gone: hooks }, { gone: hooks }],
  ["a workflow that is gone", remove(steps), { gone: steps }, { gone: steps }],
  ["an agent that is gone", remove(".claude/agents/a.md"), undefined, undefined],
])("%s: runs start only if no trusted gate is lost", (_, happen, kept, all) => {
  const project = testProject(files)
  project.trust()
  happen(project)
  const whole = (found: object | undefined) =>
    found && { gone: undefined, changed: undefined, option: false, ...found }
  expect([lost(project), lost(project, "all")]).toEqual([whole(kept), whole(all)])
})

test("files that are gone and files that changed are both reported", () => {
  const project = testProject(files)
  project.trust()
  change(settings)(project)
  remove(hooks)(project)
  expect(lost(project)).toEqual({ gone: hooks, changed: settings, option: true })
})

test("a project without trusted settings may have any", () => {
  const project = testProject(files)
  project.trust((file) => file !== settings)
  expect(lost(project)).toBe(undefined)
})

test("nearer settings replace trusted ones, so they need trust too", () => {
  const project = testProject({ ...files, "work/deep/file": "" })
  project.trust()
  put(project.work, { "deep/.cadre/config.yaml": "mode: bypass\n" })
  const deep = path.join(project.work, "deep")
  const standing = project.standing()
  const workspace = project.workspace(deep)
  const told = explainLostTrust(
    workspace,
    { ...standing, claims: [] },
    { following: "kept", option: "--accept", displayPath: (file) => path.relative(project.work, file) },
  )
  expect(told).toContain("deep/.cadre/config.yaml")
})

test("files that are gone matter where they would have applied", () => {
  const project = testProject({ "work/deep/file": "", "work/other/file": "", "work/.git/HEAD": "" })
  const names = ["deep/.cadre/config.yaml", "deep/.cadre/lifecycles/a.yaml", ".cadre/lifecycles/b.yaml"]
  put(project.work, Object.fromEntries(names.map((name) => [name, "x"])))
  project.trust(
    () => false,
    names.map((name) => ({ file: path.join(project.work, name), hash: "h" })),
  )
  for (const name of names) fs.rmSync(path.join(project.work, name))
  const from = (name: string) => lost(project, "all", path.join(project.work, name))?.gone
  expect([from("deep"), from("other"), from("")]).toEqual([
    names.join(", "),
    ".cadre/lifecycles/b.yaml",
    ".cadre/lifecycles/b.yaml",
  ])
})

test("settings, hooks and workflows are missed, other files and other projects' settings are not", () => {
  const project = testProject({})
  const names = [
    settings,
    hooks,
    steps,
    ".claude/agents/a.md",
    "x.cadre/config.yaml",
    ".cadre/config.yaml.md",
  ]
  const record = { files: Object.fromEntries([...names, "../.cadre/config.yaml"].map((name) => [name, "h"])) }
  const missing = (work: string) => findMissingGates({ root: work, record: record as never })
  expect(missing(project.work)).toEqual([settings, hooks, steps])
  put(project.work, { [settings]: "x" })
  expect(missing(project.work)).toEqual([hooks, steps])
  expect(findMissingGates({ root: project.work, record: undefined })).toEqual([])
})
