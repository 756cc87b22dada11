import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { Store } from "../../src/run/log/store.ts"
import { createBashTool } from "../../src/world/tools/bash.ts"
import { orderedLog } from "../cases/support.ts"
import { storeWith } from "../crash/store-with.ts"
import { collect, results, stateOf, tool, world } from "../kit.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-hooks-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const note = (text: unknown) => ({ calls: [{ tool: "Note", input: { text } }] })

function open(hooks: Json, text: unknown = "hello", store?: Store) {
  const noted: unknown[] = []
  const lead: AgentInput = { name: "lead", instructions: "x", hooks }
  const opened = world({
    agents: [lead],
    script: { lead: [note(text), { text: "done" }] },
    tools: [
      createBashTool({ root: folder, sandbox: "off" }),
      tool("Note", (input) => {
        noted.push(input.text)
        if (input.text === "fail") throw new Error("no")
        return "noted"
      }),
    ],
    runtime: { lifecycle: createHookSource([]) },
    ...(store && { store }),
  })
  return { ...opened, noted }
}

async function run(hooks: Json, text?: unknown) {
  const { runtime, store, noted } = open(hooks, text)
  const handle = runtime.run("lead", "go", { cwd: folder, variables: { mood: "good" } })
  const events = await collect(handle)
  const end = events.find((event) => event.type === "hook-end")
  return {
    noted,
    results: await results(store, handle.id),
    problems: end?.type === "hook-end" ? end.problems : undefined,
    id: handle.id,
  }
}

const claude = (command: string, more: object = {}): Json => ({
  PreToolUse: [{ matcher: "Note|Edit", hooks: [{ type: "command", command, ...more }] }],
})

describe("the command of a hook", () => {
  test("reads who and what on its input, in Claude Code's words and in ours", async () => {
    const { noted, id } = await run(claude("cat > told.json"))
    expect(noted).toEqual(["hello"])
    expect(JSON.parse(readFileSync(path.join(folder, "told.json"), "utf8"))).toEqual({
      event: "before_tool",
      hook_event_name: "PreToolUse",
      session_id: id,
      run: id,
      parent: null,
      agent: "lead",
      depth: 0,
      task: "go",
      turn: 1,
      cwd: folder,
      tool_use_id: "c1",
      tool_name: "Note",
      tool_input: { text: "hello" },
      command: null,
      variables: { mood: "good" },
    })
  })

  test("201: is never told by text: what a model says is not run", async () => {
    const hostile = `'"; touch stolen; $(touch stolen) \`touch stolen\` \n touch stolen #`
    const { noted } = await run({ before_tool: { tools: "Note", run: "cat > told.json" } }, hostile)
    expect([noted, existsSync(path.join(folder, "stolen"))]).toEqual([[hostile], false])
    expect(JSON.parse(readFileSync(path.join(folder, "told.json"), "utf8")).tool_input.text).toBe(hostile)
  })

  test("finds the same in its environment, unless that is more than a variable holds", async () => {
    const command = `cat > input; printenv CADRE_HOOK_INPUT | cmp - input && echo same > same; true`
    const texts = []
    for (const text of ["short", "ä".repeat(500_000)]) {
      rmSync(path.join(folder, "same"), { force: true })
      const { noted, problems } = await run(claude(command), text)
      const input = JSON.parse(readFileSync(path.join(folder, "input"), "utf8")).tool_input.text
      texts.push([noted[0] === text, input === text, existsSync(path.join(folder, "same")), problems])
    }
    expect(texts).toEqual([
      [true, true, true, undefined],
      [true, true, false, undefined],
    ])
  })

  test("finds its scripts where Claude Code says they are", async () => {
    writeFileSync(path.join(folder, "guard.sh"), "echo not by this script >&2; exit 2\n")
    const { noted, results } = await run(claude(`bash "$CLAUDE_PROJECT_DIR"/guard.sh`))
    expect([noted, results]).toEqual([[], ["Not permitted: not by this script"]])
  })

  test("need not read what it is told", async () => {
    expect((await run(claude("true"), "x".repeat(1_000_000))).noted).toEqual(["x".repeat(1_000_000)])
  })

  test.each<[string, Json, readonly unknown[], RegExp]>([
    ["2 blocks with what it printed", claude("echo not now >&2; exit 2"), [], /^Not permitted: not now$/],
    ["another code is told and passed over", claude("echo odd; exit 3"), ["hello"], /^noted$/],
    [
      "a matcher that is another tool's is not asked",
      { PreToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "exit 2" }] }] },
      ["hello"],
      /^noted$/,
    ],
    [
      "an object denies",
      claude(
        `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"policy"}}'`,
      ),
      [],
      /^Not permitted: policy$/,
    ],
    [
      "an object of the older kind blocks",
      claude(`echo '{"decision":"block","reason":"old"}'`),
      [],
      /^Not permitted: old$/,
    ],
    [
      "an object that wants a person to be asked is no permission",
      claude(`echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`),
      [],
      /wants a person to decide/,
    ],
    [
      "an object rewrites",
      claude(`echo '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"text":"bye"}}}'`),
      ["bye"],
      /^noted$/,
    ],
    ["91: what is no object says nothing", claude("echo 'not json'"), ["hello"], /^noted$/],
    ["91: an object that cannot be read blocks", claude("echo '{ not json'"), [], /printed invalid JSON/],
    ["91: one that ends as the one that it started was killed blocks", claude("exit 139"), [], /by itself/],
    ["one that is not there blocks", claude("./no-such-check"), [], /could not be run: .*No such file/],
    ["91: one that is killed blocks", claude("kill -SEGV $$"), [], /did not end by itself/],
    ["91: one that never ends blocks", claude("sleep 60", { timeout: 0.3 }), [], /did not end by itself/],
    ["91: one that prints without end blocks", claude("yes"), [], /did not end by itself/],
    [
      "92: one that looks for a terminal finds none",
      claude("exec 2>&1; echo x > /dev/tty && exit 0; exit 2"),
      [],
      /^Not permitted: /,
    ],
  ])("%s", async (_, hooks, noted, text) => {
    const found = await run(hooks)
    expect([found.noted, found.results[0]]).toEqual([noted, expect.stringMatching(text)])
  })

  test("after a call is told the result, and tells the model what it prints with 2", async () => {
    const { runtime, store, noted } = open({
      PostToolUse: [{ hooks: [{ type: "command", command: "cat > told.json; echo look again; exit 2" }] }],
    })
    const handle = runtime.run("lead", "go", { cwd: folder })
    await handle.done
    const { messages } = await stateOf(store, handle.id)
    expect([noted, [...messages].at(-2)!.text]).toEqual([["hello"], "Note from a hook: look again"])
    expect(JSON.parse(readFileSync(path.join(folder, "told.json"), "utf8"))).toMatchObject({
      hook_event_name: "PostToolUse",
      tool_response: "noted",
      status: "ok",
    })
  })

  test("after a call, PostToolUse sees those that went well, and PostToolUseFailure all others", async () => {
    const command = `grep -o '"hook_event_name":"[A-Za-z]*"' >> saw`
    const hooks = [{ matcher: "Note", hooks: [{ type: "command", command }] }]
    const saw = []
    for (const text of ["hello", "fail"]) {
      await run({ PostToolUse: hooks, PostToolUseFailure: hooks }, text)
      saw.push(readFileSync(path.join(folder, "saw"), "utf8").match(/PostToolUse\w*/g))
      rmSync(path.join(folder, "saw"))
    }
    expect(saw).toEqual([["PostToolUse"], ["PostToolUseFailure"]])
  })

  test("that fails is told in the log", async () => {
    const { problems } = await run(claude("echo odd; exit 3"))
    expect(problems).toEqual(["agent lead: PreToolUse.0.hooks.0: its command exited with code 3: odd"])
  })

  test("36: is not run again after a crash: the call it was to judge is blocked", async () => {
    const hooks = claude("echo x >> count; exit 0")
    const first = open(hooks)
    const { run: id } = await first.runtime.run("lead", "go", { cwd: folder }).done
    const log = await orderedLog(first.store, id)
    const started = log.findIndex(({ type }) => type === "hook-start") + 1
    expect(started).toBeGreaterThan(0)
    writeFileSync(path.join(folder, "count"), "")
    const cut = await storeWith(log.slice(0, started), first.store)
    const second = open(hooks, "hello", cut)
    await second.runtime.resume(id).done
    expect([
      readFileSync(path.join(folder, "count"), "utf8"),
      second.noted,
      (await results(cut, id))[0],
    ]).toEqual(["", [], expect.stringMatching(/started when its process ended/)])
  })
})
