import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { AgentInput } from "../../src/agent.ts"
import { rulesOfMode } from "../../src/authority/mode.ts"
import type { IsolationReport } from "../../src/isolation.ts"
import type { Script } from "../../src/models/scripted.ts"
import type { RuntimeParts } from "../../src/run/runtime.ts"
import type { Store } from "../../src/run/store.ts"
import { bashTool } from "../../src/tools/bash.ts"
import { fileTools } from "../../src/tools/files.ts"
import { worktreeIsolation } from "../../src/worktree/isolation.ts"
import { contents, put, temporaryFolder } from "../file-kit.ts"
import { git, known, temporaryRepository } from "../git-kit.ts"
import { expectSound, results, sleep, stateOf, world } from "../kit.ts"
import { sandboxMissing } from "../sandbox/kit.ts"

const call = (tool: string, input: object) => ({ tool, input })
const delegate = (agent: string, more = {}) => call("Agent", { agent, prompt: `as ${agent}`, ...more })
const write = (file: string, content: string) => call("Write", { file_path: file, content })
const agent = (name: string, more: Partial<AgentInput> = {}): AgentInput => ({
  name,
  instructions: `You are ${name}.`,
  ...more,
})
const apart = (name: string, more: Partial<AgentInput> = {}) =>
  agent(name, { isolation: "worktree", ...more })

/** A runtime whose workspace is a repository. */
function isolated(
  script: Script,
  agents: readonly AgentInput[],
  {
    files,
    root = (top: string) => top,
    runtime = {},
  }: {
    files?: Readonly<Record<string, string>>
    root?: (top: string) => string
    runtime?: Partial<RuntimeParts> | ((top: string) => Partial<RuntimeParts>)
  } = {},
) {
  const { top, worktrees } = temporaryRepository(files)
  const workspace = root(top)
  const opened = world({
    script,
    agents,
    tools: [...fileTools({ root: workspace }), bashTool({ root: workspace })],
    runtime: {
      isolation: worktreeIsolation(worktrees),
      ...(typeof runtime === "function" ? runtime(top) : runtime),
    },
  })
  return { ...opened, top, worktrees, workspace }
}

/** Where a run has its worktree. */
const placeOf = async (store: Store, run: string): Promise<string> =>
  (await stateOf(store, run)).start!.isolation!.path

const typesOf = async (store: Store, run: string): Promise<readonly string[]> => {
  const types: string[] = []
  for await (const event of store.read(run)) types.push(event.type)
  return types
}

test("R11, 1.20: siblings change one file at the same time, each in its own tree; their caller's stays as it was, and the overlap is told", async () => {
  const { runtime, store, top } = isolated(
    {
      lead: [{ calls: [delegate("one"), delegate("two")] }, { text: "done" }],
      one: [
        { calls: [call("Read", { file_path: "a.txt" })] },
        { calls: [write("a.txt", "by one\n")] },
        { calls: [call("Read", { file_path: "a.txt" })], delayMs: 300 },
        { text: "one is done" },
      ],
      two: [
        { calls: [call("Read", { file_path: "a.txt" })] },
        { calls: [write("a.txt", "by two\n"), write("new/b.txt", "1\n2\n")] },
        { calls: [call("Read", { file_path: "a.txt" })] },
        { text: "two is done", delayMs: 1_500 },
      ],
    },
    [agent("lead"), apart("one"), apart("two")],
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  expect((await done).outcome).toEqual({ type: "completed" })
  const [one, two] = [await placeOf(store, `${id}.1`), await placeOf(store, `${id}.2`)]
  expect(await results(store, id)).toEqual([
    `one is done\n\n[Its worktree: branch cadre/${id}.1, kept in ${one}: 1 file changed, 1 insertion, 1 deletion, nothing committed. a.txt (modified).]`,
    `two is done\n\n[Its worktree: branch cadre/${id}.2, kept in ${two}: 2 files changed, 3 insertions, 1 deletion, nothing committed. a.txt (modified), new/b.txt (untracked). Also changed by run ${id}.1: a.txt.]`,
  ])
  expect((await results(store, `${id}.1`))[2]).toContain("by one")
  expect((await results(store, `${id}.2`))[3]).toContain("by two")
  expect([fs.readFileSync(path.join(top, "a.txt"), "utf8"), git(top, "status", "--porcelain")]).toEqual([
    "one\n",
    "",
  ])
  expect(known(top)).toEqual({ branches: [`cadre/${id}.1`, `cadre/${id}.2`], worktrees: [one, two] })
  const { isolation } = await runtime.read(`${id}.1`)
  expect(isolation).toEqual({
    branch: `cadre/${id}.1`,
    base: git(top, "rev-parse", "HEAD").trim(),
    path: one,
    commits: 0,
    files: [{ path: "a.txt", status: "modified" }],
    insertions: 1,
    deletions: 1,
    kept: "kept",
  } satisfies IsolationReport)
  await expectSound(store, id)
})

test("a child that changed nothing leaves nothing behind, and its log says what was opened and closed", async () => {
  const { runtime, store, top } = isolated(
    {
      lead: [{ calls: [delegate("worker")] }, { text: "done" }],
      worker: [{ calls: [call("Read", { file_path: "a.txt" })] }, { text: "read" }],
    },
    [agent("lead"), apart("worker")],
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  await done
  expect(await results(store, id)).toEqual(["read\n\n[Its worktree had no changes and was removed.]"])
  expect(known(top)).toEqual({ branches: [], worktrees: [] })
  expect(fs.existsSync(await placeOf(store, `${id}.1`))).toBe(false)
  const types = await typesOf(store, `${id}.1`)
  expect(types.slice(0, 3)).toEqual(["run-start", "resource-open", "model-start"])
  expect(types.slice(-3)).toEqual(["model-end", "resource-close", "run-end"])
})

test("a child in the background reports its worktree, too", async () => {
  const { runtime, store, top } = isolated(
    {
      lead: [{ calls: [delegate("worker", { background: true })] }, { text: "meanwhile" }, { text: "done" }],
      worker: [{ text: "looked" }],
    },
    [agent("lead"), apart("worker")],
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  await done
  expect([...(await stateOf(store, id)).messages].map(({ text }) => text)).toContain(
    `A background subagent has ended.\n<report agent="worker" run="${id}.1" outcome="completed">\nlooked\n</report>\n\n[Its worktree had no changes and was removed.]`,
  )
})

test("a root works in a worktree as well, in the folder it was started in", async () => {
  const { runtime, store, top } = isolated(
    { worker: [{ calls: [write("new.txt", "new\n")] }, { text: "done" }] },
    [apart("worker")],
    { files: { "src/a.txt": "one\n" } },
  )
  const { id, done } = runtime.run("worker", "go", { cwd: path.join(top, "src") })
  const result = await done
  const place = await placeOf(store, id)
  expect(result.isolation).toMatchObject({
    path: place,
    files: [{ path: "src/new.txt", status: "untracked" }],
    kept: "kept",
  })
  expect(contents(path.join(place, "src"))).toEqual({ "a.txt": "one\n", "new.txt": "new\n" })
  expect(git(top, "status", "--porcelain")).toBe("")
})

test("a child is told where it works, and that uncommitted changes are not there", async () => {
  const { runtime, store, top } = isolated({ worker: [{ text: "done" }] }, [apart("worker")])
  put(top, { "a.txt": "not committed\n" })
  const { id, done } = runtime.run("worker", "go", { cwd: top })
  const { proof } = await done
  expect(proof.warnings).toEqual([
    "Its worktree begins with the last commit: 1 uncommitted change of the tree it was made from is not in it.",
  ])
  expect([...(await stateOf(store, id)).messages][0]!.text).toBe(
    `go\n\nNote from the runtime: you work in a git worktree of your own, ${await placeOf(store, id)}, which stands for ${top}. Use paths in it; what you change stays there for whoever asked.`,
  )
})

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
    tools: [...fileTools({ root: top, more: [path.dirname(top)] }), bashTool({ root: top })],
    runtime: { isolation: worktreeIsolation(worktrees) },
  })
  const { id, done } = runtime.run("worker", "go", { cwd: top })
  await done
  const place = await placeOf(store, id)
  const instead = (given: string) =>
    `${given} is in the tree that this run was set apart from. Use ${given.replace(top, place)}.`
  expect(await results(store, id)).toEqual([
    instead(file),
    instead(file),
    instead(file),
    instead(top),
    instead(file),
    `Not run: ${instead(file)}`,
    `Not run: ${instead(file)}`,
    `Not run: the folder ${JSON.stringify(top)} is not there, or not inside the workspace.`,
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

test.each<[string, Partial<AgentInput>, string]>([
  [
    "outside of git",
    { isolation: "worktree" },
    "it works in a git worktree of its own, but FOLDER is in no git repository. Start it in one, or set `isolation: none`.",
  ],
  ["as a clone", { isolation: "clone" }, "`isolation: clone` is not to be had here. Known: none, worktree."],
])("%s it is refused, to a model and to a caller, and nothing runs in place", async (_, more, why) => {
  const folder = temporaryFolder()
  const { runtime, store } = world({
    script: { lead: [{ calls: [delegate("worker")] }, { text: "done" }], worker: [{ text: "ran" }] },
    agents: [agent("lead"), agent("worker", more)],
    tools: fileTools({ root: folder }),
    runtime: { isolation: worktreeIsolation(path.join(folder, "worktrees")) },
  })
  const reason = `Agent "worker" was not started: ${why.replace("FOLDER", folder)}`
  const { id, done } = runtime.run("lead", "go", { cwd: folder })
  await done
  expect(await results(store, id)).toEqual([`Cannot spawn 'worker': ${reason}`])
  await expect(runtime.run("worker", "go", { cwd: folder }).done).rejects.toMatchObject({
    code: "ISOLATION_REFUSED",
    message: reason,
  })
  expect(contents(folder)).toEqual({})
})

test("a runtime that makes no worktrees refuses", async () => {
  const { runtime } = world({
    script: { worker: [{ text: "ran" }] },
    agents: [apart("worker")],
    tools: fileTools({ root: "/" }),
  })
  await expect(runtime.run("worker", "go").done).rejects.toMatchObject({ code: "ISOLATION_REFUSED" })
})

test("an agent that can change nothing works in place, and that is said", async () => {
  const { runtime, store, top } = isolated(
    { reader: [{ calls: [call("Read", { file_path: "a.txt" })] }, { text: "read" }] },
    [apart("reader", { tools: ["Read", "Grep", "Agent"] })],
  )
  const { id, done } = runtime.run("reader", "go", { cwd: top })
  const { proof, isolation } = await done
  expect({ warnings: proof.warnings, isolation }).toEqual({
    warnings: ['Agent "reader" has no tool that changes anything, so it works in place.'],
    isolation: undefined,
  })
  expect((await stateOf(store, id)).start!.cwd).toBe(top)
})

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
        const { rules, otherwise } = rulesOfMode("accept-edits", top)
        return { rules: [...rules, { tool: "Bash", decision: "allow" }], otherwise }
      },
    },
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  expect((await done).status).toBe("ended")
  const place = await placeOf(store, `${id}.1`)
  const [, wrote, denied, unread, command] = await results(store, `${id}.1`)
  expect(wrote).toContain(path.join(place, "a.txt"))
  expect(denied).toBe(
    `Not permitted: Write (write ${place}/secret/key.txt) is denied by the rules of agent "lead". Go on without it.`,
  )
  expect(unread).toBe(
    `Not permitted: Read (read ${place}/secret/b.txt) is denied by the rules of agent "worker". Go on without it.`,
  )
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

test("a worktree that cannot be made ends the run as denied, and leaves nothing", async () => {
  const { runtime, store, top } = isolated(
    { lead: [{ calls: [delegate("worker")] }, { text: "done" }], worker: [{ text: "ran" }] },
    [agent("lead"), apart("worker")],
  )
  git(top, "branch", "cadre")
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  await done
  const [text] = await results(store, id)
  expect(text).toMatch(
    /did not complete: denied: it could not have its worktree: git worktree failed in .*'refs\/heads\/cadre' exists/s,
  )
  expect((await typesOf(store, `${id}.1`)).includes("model-start")).toBe(false)
  expect(known(top)).toEqual({ branches: ["cadre"], worktrees: [] })
})

test("a run that is cancelled, or fails, closes its worktree all the same", async () => {
  const { runtime, top } = isolated(
    {
      slow: [{ calls: [write("new.txt", "x\n")] }, { text: "late", delayMs: 60_000 }],
      early: [{ text: "late", delayMs: 60_000 }],
    },
    [apart("slow"), apart("early")],
  )
  const slow = runtime.run("slow", "go", { cwd: top })
  for await (const event of slow) if (event.type === "tool-end") break
  await slow.cancel()
  const early = runtime.run("early", "go", { cwd: top })
  for await (const event of early) if (event.type === "run-start") break
  await early.cancel()
  expect(
    [await slow.done, await early.done].map(({ outcome, isolation }) => [outcome!.type, isolation!.kept]),
  ).toEqual([
    ["cancelled", "kept"],
    ["cancelled", "removed"],
  ])
  expect(known(top).branches).toEqual([`cadre/${slow.id}`])
})

test("a message that comes when the worktree is closed already opens it again", async () => {
  const { top, worktrees } = temporaryRepository()
  const real = worktreeIsolation(worktrees)
  let sent: Promise<unknown> | undefined
  const { runtime, store } = world({
    script: { worker: [{ text: "first" }, { calls: [write("new.txt", "x\n")] }, { text: "second" }] },
    agents: [apart("worker")],
    tools: fileTools({ root: top }),
    runtime: {
      isolation: {
        ...real,
        async close(worktree) {
          const report = await real.close(worktree)
          sent ??= runtime.send(handle.id, "one more thing")
          await sleep(20)
          return report
        },
      },
    },
  })
  const handle = runtime.run("worker", "go", { cwd: top })
  const { output, isolation } = await handle.done
  await sent
  expect([output, isolation!.files]).toEqual(["second", [{ path: "new.txt", status: "untracked" }]])
  const types = (await typesOf(store, handle.id)).filter((type) => type.startsWith("resource-"))
  expect(types).toEqual(["resource-open", "resource-close", "resource-open", "resource-close"])
})

test("a run that rests finds its worktree again, also where somebody has removed it", async () => {
  for (const somebody of ["nobody", "somebody"]) {
    const { runtime, store, top } = isolated(
      { worker: [{ calls: [write("new.txt", "new\n")] }, { text: "done" }] },
      [apart("worker", { rules: [{ tool: "Write", decision: "ask" }] })],
    )
    const handle = runtime.run("worker", "go", { cwd: top })
    expect((await handle.done).status).toBe("resting")
    const place = await placeOf(store, handle.id)
    if (somebody === "somebody") fs.rmSync(place, { recursive: true })
    await runtime.approve(handle.id, "c1", "allow")
    const { isolation } = await runtime.resume(handle.id).done
    expect(isolation).toMatchObject({ path: place, files: [{ path: "new.txt", status: "untracked" }] })
  }
})
