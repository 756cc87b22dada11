import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { IsolationReport } from "../../src/agent/isolation.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import { withWorkflows } from "../../src/definitions/workflow/source.ts"
import { createFileTools } from "../../src/world/tools/files.ts"
import { createWorktreeIsolation } from "../../src/world/worktree/isolation.ts"
import { contents, put, temporaryFolder } from "../file-kit.ts"
import { git, known, temporaryRepository } from "../git-kit.ts"
import { expectSound, results, sleep, stateOf, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { agent, apart, call, delegate, isolated, placeOf, typesOf, write } from "./isolation-kit.ts"

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
  expect(await results(store, id)).toEqual([naming("read\n\n[Its worktree had no changes", "removed.]")])
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
  expect([...(await stateOf(store, id)).messages].map(({ text }) => text)).toContainEqual(
    naming(
      `<report agent="worker" run="${id}.1" outcome="completed">\nlooked\n</report>\n\n`,
      "[Its worktree had no changes",
      "removed.]",
    ),
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
  expect(proof.warnings).toEqual([expect.stringContaining("1 uncommitted change ")])
  expect([...(await stateOf(store, id)).messages][0]!.text).toEqual(
    naming("go\n\n", `your own git worktree, ${await placeOf(store, id)}.`, `replaces ${top}.`),
  )
})

test.each<[string, Partial<AgentInput>, readonly string[]]>([
  [
    "outside of git",
    { isolation: "worktree" },
    ["git worktree of its own", "FOLDER is not in", "`isolation: none`"],
  ],
  ["as a clone", { isolation: "clone" }, ["`isolation: clone`", "`worktree` or `none`"]],
])("%s it is refused, to a model and to a caller, and nothing runs in place", async (_, more, named) => {
  const folder = temporaryFolder()
  const { runtime, store } = world({
    script: { lead: [{ calls: [delegate("worker")] }, { text: "done" }], worker: [{ text: "ran" }] },
    agents: [agent("lead"), agent("worker", more)],
    tools: createFileTools({ root: folder }),
    runtime: { isolation: createWorktreeIsolation(path.join(folder, "worktrees")) },
  })
  const reason = naming(
    'Agent "worker" was not started: ',
    ...named.map((name) => name.replace("FOLDER", folder)),
  )
  const { id, done } = runtime.run("lead", "go", { cwd: folder })
  await done
  expect(await results(store, id)).toEqual([naming("Cannot spawn 'worker': ", reason)])
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
    tools: createFileTools({ root: "/" }),
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
    warnings: [naming('Agent "reader" works in place')],
    isolation: undefined,
  })
  expect((await stateOf(store, id)).start!.cwd).toBe(top)
})

const commands = {
  hooks: { run_start: [{ run: "touch hooked" }] },
  workflow: { steps: [{ name: "one", on_enter: [{ run: "touch hooked" }] }] },
}

test.each<[string, readonly AgentInput[], "in its worktree" | "in place"]>([
  ["its list", [apart("a", { tools: ["Read", "Write"], disallowedTools: ["Write"] })], "in its worktree"],
  [
    "a rule",
    [apart("a", { tools: ["Read", "Write"], rules: [{ tool: "Write", decision: "deny" }] })],
    "in its worktree",
  ],
  ["plan mode", [apart("a", { tools: ["Read", "Write"], permissionMode: "plan" })], "in its worktree"],
  [
    "a denial of the only agent that writes",
    [
      apart("a", { tools: ["Read", "Agent"], disallowedTools: ["Agent(b)"] }),
      agent("b", { tools: ["Write"] }),
    ],
    "in its worktree",
  ],
  [
    "a denial of that agent's own",
    [
      apart("a", { tools: ["Read", "Agent"] }),
      agent("b", { tools: ["Read", "Write"], disallowedTools: ["Write"] }),
    ],
    "in its worktree",
  ],
  ["a hook", [apart("a", { tools: ["Read"], hooks: commands.hooks })], "in its worktree"],
  ["a step", [apart("a", { tools: ["Read"], workflow: commands.workflow })], "in its worktree"],
  ["a named workflow", [apart("a", { tools: ["Read"], workflow: "steps" })], "in its worktree"],
  [
    "a postcondition",
    [apart("a", { tools: ["Read"], postconditions: [{ command: "true" }] })],
    "in its worktree",
  ],
  [
    "a hook of an agent that it may call",
    [apart("a", { tools: ["Read", "Agent"] }), agent("b", { tools: ["Read"], hooks: commands.hooks })],
    "in its worktree",
  ],
  [
    "a hook that only blocks",
    [apart("a", { tools: ["Read"], hooks: { before_tool: [{ tools: "Grep", block: "no" }] } })],
    "in place",
  ],
])("what could change something if nothing were denied works apart: %s", async (_, agents, expected) => {
  const { runtime, store, top } = isolated({ a: [{ text: "done" }], b: [{ text: "done" }] }, agents, {
    runtime: {
      lifecycle: withWorkflows(createHookSource([]), [{ name: "steps", workflow: commands.workflow }]),
      checkPostcondition: (condition, context) =>
        "command" in condition ? context.command(condition.command) : Promise.resolve({ holds: true }),
    },
  })
  const { id, done } = runtime.run("a", "go", { cwd: top })
  await done
  expect({
    works: (await stateOf(store, id)).start!.isolation ? "in its worktree" : "in place",
    files: Object.keys(contents(top)).filter((name) => name === "hooked"),
  }).toEqual({ works: expected, files: [] })
})

test("a denial of its caller does not have a child work in place", async () => {
  const { runtime, store, top } = isolated(
    { lead: [{ calls: [delegate("worker")] }, { text: "done" }], worker: [{ text: "done" }] },
    [
      agent("lead", { tools: ["Agent"], disallowedTools: ["Write"] }),
      apart("worker", { tools: ["Read", "Write"], hooks: commands.hooks }),
    ],
    { runtime: { lifecycle: createHookSource([]) } },
  )
  const { id, done } = runtime.run("lead", "go", { cwd: top })
  await done
  const place = await placeOf(store, `${id}.1`)
  expect([git(top, "status", "--porcelain"), git(place, "status", "--porcelain")]).toEqual([
    "",
    "?? hooked\n",
  ])
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
  expect(text).toMatch(/worktree could not be opened: .*'refs\/heads\/cadre' exists/s)
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
  const real = createWorktreeIsolation(worktrees)
  let sent: Promise<unknown> | undefined
  const { runtime, store } = world({
    script: { worker: [{ text: "first" }, { calls: [write("new.txt", "x\n")] }, { text: "second" }] },
    agents: [apart("worker")],
    tools: createFileTools({ root: top }),
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
