import { expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import { put } from "../../../test/file-kit.ts"
import { listGateFiles, readTrustedHooks } from "./trusted-hooks.ts"

const block = "before_tool: [{effects: [{type: block, reason: no}]}]\n"
const gobby = (name: string, more = "") =>
  `name: ${name}\ntype: lifecycle\nenabled: true\n${more}triggers: {on_before_tool: [{action: block_tools}]}\n`

const namesOf = (sets: ReturnType<typeof readTrustedHooks>) => sets.map(({ of, name }) => `${of} ${name}`)

test("a project's hooks take effect while their content is trusted, and the user's always do", () => {
  const project = testProject({
    "home/.config/cadre/lifecycles/mine.yaml": block,
    "work/.cadre/lifecycles/one.yaml": block,
    "work/.cadre/lifecycles/two.yaml": block,
    "work/.cadre/workflows/steps.yaml": "steps: [{name: a}]\n",
  })
  const read = (trusting: "all" | "kept") =>
    namesOf(readTrustedHooks(project.workspace(), trusting === "all" ? "all" : project.standing()))
  expect(read("kept")).toEqual(["user mine"])
  expect(read("all")).toEqual(["user mine", "project one", "project two"])
  project.trust()
  expect(read("kept")).toEqual(["user mine", "project one", "project two"])
  put(project.work, { ".cadre/lifecycles/one.yaml": `${block}# changed\n` })
  expect(read("kept")).toEqual(["user mine", "project two"])
})

test("Gobby's hooks come after the others of the same owner, by priority and then by name", () => {
  const project = testProject({
    "home/.config/cadre/lifecycles/z-mine.yaml": block,
    "home/.gobby/workflows/a.yaml": gobby("user-late", "priority: 101\n"),
    "home/.gobby/workflows/b.yaml": gobby("user-plain"),
    "work/.cadre/lifecycles/z-ours.yaml": block,
    "work/.gobby/workflows/1.yaml": gobby("late", "priority: 200\n"),
    "work/.gobby/workflows/2.yaml": gobby("same-b"),
    "work/.gobby/workflows/3.yaml": gobby("same-a", "priority: 100\n"),
    "work/.gobby/workflows/4.yaml": gobby("early", "priority: 5\n"),
  })
  expect(namesOf(readTrustedHooks(project.workspace(), "all"))).toEqual([
    "user z-mine",
    "user user-plain",
    "user user-late",
    "project z-ours",
    "project early",
    "project same-a",
    "project same-b",
    "project late",
  ])
})

test("the same Gobby file of a user and a project takes effect once, other files each time", () => {
  const project = testProject({
    "home/.config/cadre/lifecycles/guard.yaml": block,
    "home/.gobby/workflows/same.yaml": gobby("same"),
    "home/.gobby/workflows/other.yaml": gobby("other"),
    "work/.cadre/lifecycles/guard.yaml": block,
    "work/.gobby/workflows/same.yaml": gobby("same"),
    "work/.gobby/workflows/other.yaml": gobby("other", "priority: 7\n"),
  })
  expect(namesOf(readTrustedHooks(project.workspace(), "all"))).toEqual([
    "user guard",
    "user other",
    "user same",
    "project guard",
    "project other",
  ])
})

test("the errors of a project's hook files count once any of its files is trusted", () => {
  const project = testProject({
    "home/.config/cadre/lifecycles/mine.yaml": block,
    "work/.cadre/lifecycles/ours.yaml": block,
    "work/.gobby/workflows/deprecated/old.yaml": gobby("old"),
    "work/.claude/agents/a.md": "---\nname: a\ndescription: A.\ntools: Read\n---\nDo it.\n",
  })
  const listed = (trusting: "all" | "kept") =>
    project.below(
      listGateFiles(project.workspace(), trusting === "all" ? "all" : project.standing()).map(
        ({ file }) => file,
      ),
    )
  const mine = "home/.config/cadre/lifecycles/mine.yaml"
  const ours = "work/.cadre/lifecycles/ours.yaml"
  expect([listed("kept"), listed("all")]).toEqual([[mine], [mine, ours]])
  project.trust((file) => file === ".claude/agents/a.md")
  expect(listed("kept")).toEqual([mine, ours])
})
