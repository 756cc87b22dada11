import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { getModeRules } from "../../src/definitions/authority/mode.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { createFileTools } from "../../src/world/tools/files.ts"
import { createWorktreeIsolation } from "../../src/world/worktree/isolation.ts"
import { git, known, temporaryRepository } from "../git-kit.ts"
import { results, stateOf, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { sandboxMissing } from "../sandbox/kit.ts"
import { agent, apart, call, delegate, isolated, placeOf, write } from "./isolation-kit.ts"

test("R11, 1.20: paths into the caller's tree are refused, with the path to use instead", async () => {
  const { top, worktrees } = temporaryRepository()
  const file = path.join(top, "a.txt")
  const calls = [
    call("Read", { file_path: file }),
    call("Edit", { file_path: file, old_string: "one", new_string: "two" }),
    call("Write", { file_path: file, content: "two\n" }),
    call("Grep", { pattern: "one", path: top }),
    call("ApplyPatch", { patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-one\n+two\n*** End Patch` }),
    call("Bash", { command: `cat ${file}` }),
    call("Bash", { command: `echo two > ${file}` }),
    call("Bash", { command: "cat a.txt", cwd: top }),
  ]
  const { runtime, store } = world({
    script: { worker: [{ calls }, { text: "done" }] },
    agents: [apart("worker")],
    // To be allowed to read the tree is not to be allowed to read it from here.
    tools: [...createFileTools({ root: top, more: [path.dirname(top)] }), createBashTool({ root: top })],
    runtime: { isolation: createWorktreeIsolation(worktrees) },
  })
  const { id, done } = runtime.run("worker", "go", { cwd: top })
  await done
  const place = await placeOf(store, id)
  const instead = (given: string) =>
    naming(`${given} is in the tree`, "isolated from", `Use ${given.replace(top, place)}.`)
  expect(await results(store, id)).toEqual([
    instead(file),
    instead(file),
    instead(file),
    instead(top),
    instead(file),
    naming("Not run: ", instead(file)),
    naming("Not run: ", instead(file)),
    naming(`Not run: the folder ${JSON.stringify(top)} does not exist`),
  ])
  expect(fs.readFileSync(file, "utf8")).toBe("one\n")
})

test.skipIf(sandboxMissing !== undefined)(
  "commands work in the worktree, read git there, and in the sandbox reach neither the caller's tree nor its repository",
  async () => {
    const { runtime, store, top } = isolated(
      {
        worker: [
          {
            calls: [
              call("Bash", { command: "echo two > a.txt; git status --short --untracked-files=no; pwd" }),
              call("Bash", {
                command:
                  'ls -A "$(dirname "$(git rev-parse --git-common-dir)")"; git add -A 2>&1 || echo refused',
              }),
            ],
          },
          { text: "done" },
        ],
      },
      [apart("worker")],
    )
    const { id, done } = runtime.run("worker", "go", { cwd: top })
    await done
    const place = await placeOf(store, id)
    const [status, reach] = await results(store, id)
    expect(status).toBe(` M a.txt\n${place}`)
    expect(reach).toMatch(/^\.git\n.*Read-only file system\nrefused$/)
    expect(git(top, "status", "--porcelain")).toBe("")
  },
)

test("children of an isolated run work where it works; an isolated one of them begins with its commit", async () => {
  const { runtime, store, top } = isolated(
    {
      lead: [
        { calls: [call("Read", { file_path: "a.txt" })] },
        { calls: [write("a.txt", "by lead\n")] },
        { calls: [delegate("here"), delegate("apart")] },
        { text: "done" },
      ],
      here: [
        { calls: [call("Read", { file_path: "a.txt" }), write("b.txt", "by here\n")] },
        { text: "here" },
      ],
      apart: [
        {
          calls: [
            call("Read", { file_path: "a.txt" }),
            call("Read", { file_path: path.join("/", "TOP", "a.txt") }),
          ],
        },
        { text: "apart" },
      ],
    },
    [apart("lead"), agent("here"), apart("apart")],
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  const { isolation } = await done
  const [lead, here, below] = await Promise.all(
    [id, `${id}.1`, `${id}.2`].map(async (run) => (await stateOf(store, run)).start!),
  )
  expect([here!.cwd, here!.moved, here!.isolation]).toEqual([lead!.cwd, lead!.moved, undefined])
  expect(below!.moved).toEqual([
    { from: top, to: lead!.isolation!.path },
    { from: lead!.isolation!.path, to: below!.isolation!.path },
  ])
  expect((await results(store, `${id}.1`))[0]).toContain("by lead")
  expect((await results(store, `${id}.2`))[0]).toContain("one")
  expect(isolation!.files.map((file) => file.path)).toEqual(["a.txt", "b.txt"])
  expect(known(top)).toEqual({ branches: [`cadre/${id}`], worktrees: [lead!.isolation!.path] })
})

test("rules about the caller's tree hold in the worktree: what they deny, ask and allow", async () => {
  const { runtime, store, top } = isolated(
    {
      lead: [{ calls: [delegate("worker")] }, { text: "done" }],
      worker: [
        { calls: [call("Read", { file_path: "a.txt" })] },
        {
          calls: [
            call("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
            write("secret/key.txt", "x"),
            call("Read", { file_path: "secret/b.txt" }),
          ],
        },
        { calls: [call("Bash", { command: "echo x > c.txt" })] },
        { text: "done" },
      ],
    },
    [
      agent("lead", { rules: [{ tool: "Edit(secret/**)", decision: "deny" }] }),
      apart("worker", { rules: [{ tool: "Read(./secret/**)", decision: "deny" }] }),
    ],
    {
      files: { "a.txt": "one\n", "secret/b.txt": "b\n" },
      runtime: (top) => {
        const { rules, otherwise } = getModeRules("accept-edits", top)
        return { rules: [...rules, { tool: "Bash", decision: "allow" }], otherwise }
      },
    },
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  expect((await done).status).toBe("ended")
  const place = await placeOf(store, `${id}.1`)
  const [, wrote, denied, unread, command] = await results(store, `${id}.1`)
  expect(wrote).toContain(path.join(place, "a.txt"))
  expect(denied).toEqual(naming(`Write (write ${place}/secret/key.txt) is denied`, 'agent "lead"'))
  expect(unread).toEqual(naming(`Read (read ${place}/secret/b.txt) is denied`, 'agent "worker"'))
  expect(command).toMatch(/^(?:\(no output\)|\[Ran without a sandbox)/)
})

test("a workspace that is a part of the repository is no more than that part in the worktree", async () => {
  const { runtime, store, top } = isolated(
    {
      worker: [
        { calls: [call("Read", { file_path: "a.txt" })] },
        {
          calls: [
            call("Edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
            write("../other/b.txt", "x\n"),
            call("Bash", { command: "git status --short --untracked-files=no ." }),
          ],
        },
        { text: "done" },
      ],
    },
    [apart("worker")],
    { files: { "part/a.txt": "one\n", "other/b.txt": "b\n" }, root: (top) => path.join(top, "part") },
  )
  const { id, done } = runtime.run("worker", "go", { cwd: path.join(top, "part") })
  const { isolation } = await done
  const place = await placeOf(store, id)
  expect((await results(store, id))[2]).toContain(`leads out of the workspace ${place}/part`)
  expect((await results(store, id))[3]).toMatch(/^ M a\.txt/)
  expect(isolation!.files).toEqual([{ path: "part/a.txt", status: "modified" }])
})
