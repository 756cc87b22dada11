/**
 * What the reliability list and users say of hooks: 91, 149, 199, 200, R9 and 1.13. The rest stands where it is tested anyway.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { hookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import type { Script } from "../../src/world/models/scripted.ts"
import { bashTool } from "../../src/world/tools/bash.ts"
import { collect, results, stateOf, tool, world } from "../kit.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-cases-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const note = (text = "hello") => ({ tool: "Note", input: { text } })
const bash = (command: string) => ({ tool: "Bash", input: { command } })
const delegate = (agent: string, more = {}) => ({ tool: "Agent", input: { agent, prompt: agent, ...more } })
const answers = Array.from({ length: 9 }, (_, index) => ({ text: `answer ${index + 1}` }))

async function run(
  hooks: Json,
  script: Script,
  more: { readonly agents?: readonly AgentInput[]; readonly runtime?: Partial<RuntimeParts> } = {},
) {
  const noted: unknown[] = []
  const opened = world({
    script,
    ...(more.agents && { agents: more.agents }),
    tools: [
      bashTool({ root: folder, sandbox: "off" }),
      tool("Note", ({ text }, { agent }) => {
        noted.push(`${agent}: ${text}`)
        return "noted"
      }),
    ],
    runtime: { lifecycle: hookSource([{ name: "project", of: "project", hooks }]), ...more.runtime },
  })
  const handle = opened.runtime.run("lead", "go", { cwd: folder })
  const events = await collect(handle)
  return {
    id: handle.id,
    noted,
    events,
    result: await handle.done,
    results: await results(opened.store, handle.id),
    state: await stateOf(opened.store, handle.id),
  }
}

const once: Script = { lead: [{ calls: [note()] }, { text: "done" }] }

describe("149: a hook", () => {
  const allow = `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`
  const rewrite = `echo '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"rm -r x"}}}'`
  const claude = (command: string): Json => ({ PreToolUse: [{ hooks: [{ type: "command", command }] }] })

  test("that allows a call leaves it denied by the rules", async () => {
    const { noted, results } = await run(claude(allow), once, {
      runtime: { rules: [{ tool: "Note", decision: "deny" }] },
    })
    expect([noted, results[0]]).toEqual([
      [],
      expect.stringMatching(/denied by the rules of the configuration/),
    ])
  })

  test("that changes what a call would do has all rules judge it again", async () => {
    const { results } = await run(
      claude(rewrite),
      { lead: [{ calls: [bash("ls")] }, { text: "done" }] },
      { runtime: { rules: [{ tool: "Bash(rm:*)", decision: "deny" }] } },
    )
    expect(results[0]).toMatch(/^Not permitted: Bash \(rm -r x\) is denied by the rules/)
  })
})

describe("91: the command of a gate at a moment that does not answer", () => {
  test.each<[string, string]>([
    ["never ends", "sleep 60"],
    ["is killed", "kill -SEGV $$"],
    ["prints without end", "yes"],
  ])("because it %s, keeps the run from starting", async (_, command) => {
    const { result } = await run({ run_start: { run: { command, timeout: 0.3 } } }, once)
    expect(result.outcome).toEqual({
      type: "denied",
      reason: expect.stringMatching(/does not let it start: its command did not end by itself/),
    })
  })
})

describe("199: a template of a hook", () => {
  test.each([
    "{{ self.__init__.__globals__ }}",
    "{{ agent.constructor.constructor('return process')() }}",
    '{% include "/etc/passwd" %}',
    "{{ env.API_KEY }}",
    "{% for a in range(1000000000) %}x{% endfor %}",
  ])("%s blocks, or keeps anything from starting, and shows nothing", async (text) => {
    const ended = await run({ run_start: { block: text } }, once).then(
      ({ result }) => JSON.stringify(result.outcome),
      (error) => JSON.stringify({ type: "denied", reason: String(error.message) }),
    )
    expect(ended).toMatch(/^\{"type":"denied"/)
    expect(ended).not.toMatch(/root:|\[object|function/i)
  })
})

describe("200: a variable", () => {
  test("whatever its name, reaches neither the environment of a command nor what is permitted", async () => {
    const { results, state } = await run(
      {
        run_start: {
          set_variable: { PATH: "/evil", LD_PRELOAD: "/evil.so", permissions: "allow", rules: [] },
        },
        before_tool: { tools: "Bash", run: "echo $PATH:$LD_PRELOAD > hook.txt" },
      },
      { lead: [{ calls: [bash("echo $PATH:$LD_PRELOAD"), note()] }, { text: "done" }] },
      { runtime: { rules: [{ tool: "Note", decision: "deny" }] } },
    )
    expect(state.variables).toMatchObject({ PATH: "/evil", permissions: "allow" })
    expect(results[0]).not.toContain("evil")
    expect(readFileSync(path.join(folder, "hook.txt"), "utf8")).not.toContain("evil")
    expect(results[1]).toMatch(/denied by the rules/)
  })

  test.each<[string, Json]>([
    ["with the name of what every object has", JSON.parse('{"__proto__": {"admin": true}}')],
    ["with a line in its name", { "a\nb": 1 }],
    ["with a NUL in its name", { "a\0b": 1 }],
    ["with a name of the runtime", { agent: "root" }],
  ])("%s is refused before anything runs", async (_, variables) => {
    await expect(run({ run_start: { set_variable: variables } }, once)).rejects.toMatchObject({
      code: "HOOK_INVALID",
    })
    expect(({} as { admin?: true }).admin).toBeUndefined()
  })

  test("that grows without end is told and passed over", async () => {
    const { result, events, state } = await run(
      {
        run_start: { set_variable: { text: "x".repeat(90_000) } },
        before_model: { set_variable: { text: "{{ variables.text }}{{ variables.text }}" } },
      },
      { lead: [...Array.from({ length: 6 }, (_, n) => ({ calls: [note(String(n))] })), { text: "done" }] },
    )
    expect(result.outcome).toEqual({ type: "completed" })
    expect(JSON.stringify(state.variables).length).toBeLessThan(1_000_000)
    expect(
      events.flatMap((event) => (event.type === "moment-end" ? (event.problems ?? []) : [])).length,
    ).toBeGreaterThan(0)
  })
})

describe("R9, 1.13: a hook", () => {
  test("that blocks a call for ever is not asked for ever", async () => {
    const { noted, result, events } = await run(
      { before_tool: { tools: "Note", block: "never" } },
      { lead: [...Array.from({ length: 9 }, () => ({ calls: [note()] })), { text: "done" }] },
    )
    expect([noted, result.outcome?.type]).toEqual([[], "loop"])
    expect(events.filter(({ type }) => type === "hook-end").length).toBe(2)
  })

  test("that blocks the end for ever lets the run end, and the result says what it has against it", async () => {
    const { result, state } = await run({ stop: { block: "never" } }, { lead: answers })
    expect([result.outcome, state.turn, result.objection]).toEqual([
      { type: "completed" },
      4,
      { hook: "project: stop", reason: "never" },
    ])
  })

  test("that adds a text when a run would end neither makes it go on nor takes the place of its report", async () => {
    const { result, state } = await run(
      {
        stop: {
          run: `echo '{"hookSpecificOutput":{"additionalContext":"Say done."}}'`,
        },
        after_model: { inject_context: "Say done." },
      },
      { lead: [{ text: "The whole report." }, { text: "Done." }] },
    )
    expect([result.output, state.turn]).toEqual(["The whole report.", 1])
  })

  test("whose command uses the tool that it judges is not asked about itself", async () => {
    const { results } = await run(
      { before_tool: { tools: "Bash", run: "echo asked >> count" } },
      { lead: [{ calls: [bash("cat count")] }, { text: "done" }] },
    )
    expect(results[0]?.split("\n").filter((line) => line === "asked")).toEqual(["asked"])
  })

  test("is for the agents that it names, and is asked for no others", async () => {
    const { noted } = await run(
      { before_tool: { agents: ["reviewer"], tools: "Note", block: "reviewers note nothing" } },
      {
        lead: [{ calls: [note(), delegate("reviewer"), delegate("worker")] }, { text: "done" }],
        reviewer: [{ calls: [note()] }, { text: "report" }],
        worker: [{ calls: [note()] }, { text: "report" }],
      },
    )
    expect(noted.toSorted()).toEqual(["lead: hello", "worker: hello"])
  })

  test("of an agent's own frontmatter is asked in its runs, and knows which run that is, under whom", async () => {
    const command = `cat > "$(mktemp told-XXXXXX.json)"`
    const own: Json = {
      PreToolUse: [{ matcher: "Note", hooks: [{ type: "command", command }] }],
      Stop: [{ hooks: [{ type: "command", command }] }],
    }
    const { id } = await run(
      {},
      {
        lead: [
          { calls: [note(), delegate("reviewer"), delegate("reviewer", { background: true })] },
          { text: "waiting" },
          { text: "done" },
        ],
        reviewer: [{ calls: [note()] }, { text: "report" }, { calls: [note()] }, { text: "report" }],
      },
      {
        agents: [
          { name: "lead", instructions: "x" },
          { name: "reviewer", instructions: "x", hooks: own },
        ],
      },
    )
    const told = readdirSync(folder)
      .filter((name) => name.startsWith("told-"))
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")))
      .map(({ hook_event_name, run, parent, agent, depth }) => [hook_event_name, run, parent, agent, depth])
      .toSorted()
    expect(told).toEqual(
      [1, 2]
        .flatMap((child) =>
          ["PreToolUse", "Stop"].map((event) => [event, `${id}.${child}`, id, "reviewer", 1]),
        )
        .toSorted(),
    )
  })

  test("is told of the end of every run exactly once, and of nothing after it", async () => {
    const { id, events } = await run(
      { run_end: { run: `cat > "end-$RANDOM$RANDOM.json"` } },
      {
        lead: [{ calls: [delegate("worker"), delegate("failing")] }, { text: "done" }],
        worker: [{ text: "report" }],
        failing: [{ error: { kind: "fatal", message: "no" } as never }],
      },
    )
    const told = readdirSync(folder)
      .filter((name) => name.startsWith("end-"))
      .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")))
      .map(({ run, outcome }) => `${run} ${outcome}`)
      .toSorted()
    expect(told).toEqual([`${id} completed`, `${id}.1 completed`, `${id}.2 failed`])
    for (const run of [id, `${id}.1`, `${id}.2`])
      expect(events.filter((event) => event.run === run).at(-1)?.type).toBe("run-end")
  })
})
