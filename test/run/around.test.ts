import { mkdtempSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { Hook } from "../../src/run/ports/hook.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, results, stateOf, tool } from "../kit.ts"
import { naming } from "../naming.ts"
import { around, hand, run, short, start, use } from "./around-kit.ts"

describe("1.17: waiting for subagents in the background", () => {
  const script = (wait: object): ModelScript => ({
    lead: [
      { calls: [start("slow"), start("fast")] },
      { calls: [use("AgentWait", wait)] },
      { text: "done" },
      { text: "done" },
      { text: "done" },
    ],
    slow: [{ text: "slow report", delayMs: 400 }],
    fast: [{ text: "fast report", delayMs: 100 }],
  })
  const ended = ["ended", "report"]
  test.each<[string, object, readonly string[]]>([
    ["for all of them", {}, [naming("- R.1 (slow): ", ...ended), naming("- R.2 (fast): ", ...ended)]],
    [
      "for one of them",
      { until: "any" },
      ["- R.1 (slow): still running", naming("- R.2 (fast): ", ...ended)],
    ],
    ["for one by its short name", { runs: [".2"] }, [naming("- R.2 (fast): ", ...ended)]],
    ["no longer than it says", { runs: [".1"], seconds: 0.01 }, ["- R.1 (slow): still running"]],
  ])("%s", async (_, wait, lines) => {
    const { texts, result } = await run(script(wait))
    expect(texts.at(-1)!.split("\n")).toEqual(lines)
    expect(result.outcome).toEqual({ type: "completed" })
  })

  test("a run that is not there is told with those that are", async () => {
    const { texts } = await run(script({ runs: [".9"] }))
    expect(texts.at(-1)).toMatch(/^You have no subagent run "R\.9"\. .*Known: R\.1/)
  })

  test("nobody to wait for ends at once", async () => {
    const { texts } = await run({
      lead: [{ calls: [use("AgentWait")] }, { text: "done" }],
      other: [{ text: "x" }],
    })
    expect(texts).toEqual([expect.stringContaining("running")])
  })

  test("for one whose report was given before says that, and promises no message", async () => {
    const { texts } = await run({
      lead: [
        { calls: [hand("fast"), start("slow")] },
        { calls: [use("AgentWait", { runs: [".1", ".2"] })] },
        { text: "done" },
        { text: "done" },
      ],
      fast: [{ text: "fast report" }],
      slow: [{ text: "slow report", delayMs: 200 }],
    })
    expect(texts.at(-1)!.split("\n")).toEqual([
      expect.stringMatching(/^- R\.1.*AgentReport/),
      naming("- R.2 (slow): ", ...ended),
    ])
  })

  test("ends when somebody writes", async () => {
    const { runtime, store } = around({
      lead: [{ calls: [start("slow")] }, { calls: [use("AgentWait")] }, { text: "read" }, { text: "done" }],
      slow: [{ text: "late", delayMs: 1_000 }],
    })
    const handle = runtime.run("lead", "go")
    for await (const event of handle) {
      if (event.type === "tool-start" && event.waits) await runtime.send(handle.id, "hurry up")
      if (event.type === "tool-end" && event.result.text.startsWith("- ")) break
    }
    expect(short(await results(store, handle.id)).at(-1)).toBe("- R.1 (slow): still running")
    await handle.cancel()
    await handle.done
  })

  test("with one slot for the whole tree whoever waits holds none", async () => {
    const { runtime } = around(script({}))
    const result = await runtime.run("lead", "go", { limits: { maxConcurrency: 1, timeout: 20_000 } }).done
    expect(result.outcome).toEqual({ type: "completed" })
  })

  test("a run that waits for one that rests, rests, and goes on when a person has answered", async () => {
    const { runtime, store } = around(
      {
        lead: [{ calls: [start("careful")] }, { calls: [use("AgentWait")] }, { text: "done" }],
        careful: [{ calls: [use("touch")] }, { text: "touched" }],
      },
      {
        tools: [tool("touch")],
        agents: [
          { name: "lead", instructions: "l" },
          { name: "careful", instructions: "c", rules: [{ tool: "touch", decision: "ask" }] },
        ],
      },
    )
    const handle = runtime.run("lead", "go")
    const rested = await handle.done
    expect([rested.status, rested.approvals.map(({ run, call }) => [run.slice(26), call])]).toEqual([
      "resting",
      [[".1", "c1"]],
    ])
    await runtime.approve(`${handle.id}.1`, "c1", "allow")
    expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
    await expectSound(store, handle.id)
  })
})

test("writing to the parent is offered to whoever has one, also at the deepest level, or where only that is listed", async () => {
  const offered: Record<string, readonly string[]> = {}
  const { runtime, store } = around(
    {
      lead: [{ calls: [hand("deep"), hand("listed"), hand("reader")] }, { text: "done" }, { text: "done" }],
      deep: [{ text: "done" }],
      listed: [{ calls: [use("AgentSend", { to: "parent", text: "hello" })] }, { text: "done" }],
      reader: [{ text: "done" }],
    },
    {
      agents: [
        { name: "lead", instructions: "l" },
        { name: "deep", instructions: "d" },
        { name: "listed", instructions: "d", tools: ["AgentSend"] },
        { name: "reader", instructions: "r", tools: ["AgentWait"] },
      ],
      runtime: {
        limits: { maxDepth: 1 },
        layers: {
          model: [
            (request, next) => {
              offered[request.agent] = request.tools.map(({ name }) => name)
              return next(request)
            },
          ],
        },
      },
    },
  )
  const handle = runtime.run("lead", "go")
  await handle.done
  expect(offered).toEqual({
    lead: ["AgentWait", "AgentStatus", "AgentCancel", "AgentSend", "AgentReport", "Agent"],
    deep: ["AgentSend", "AskParent"],
    listed: ["AgentSend"],
    reader: [],
  })
  expect(short([...(await stateOf(store, handle.id)).messages].map(({ text }) => text))).toContain(
    '<message from="listed" run="R.2">\nhello\n</message>',
  )
})

test("how subagents stand can be asked at any time", async () => {
  const { texts } = await run({
    lead: [{ calls: [start("slow"), hand("fast")] }, { calls: [use("AgentStatus")] }, { text: "done" }],
    slow: [{ text: "slow report", delayMs: 300 }],
    fast: [{ text: "fast report" }],
  })
  expect(texts.at(-1)).toMatch(
    /^- R\.1 \(slow\): running for 0 s, last event 0 s ago\n- R\.2 \(fast\): ended \(completed\) after 0 s$/,
  )
})

test("hooks see what came of a call that is answered at once, as they do of one that waits", async () => {
  const seen: string[] = []
  const hook: Hook = {
    name: "see",
    async after({ tool, status }) {
      seen.push(`${tool} ${status}`)
      return {}
    },
  }
  await run(
    { lead: [{ calls: [use("AgentStatus")] }, { calls: [use("AgentWait")] }, { text: "done" }], other: [] },
    { runtime: { hooks: [hook] } },
  )
  expect(seen).toEqual(["AgentStatus ok", "AgentWait ok"])
})

test("a subagent that is told to stop ends as cancelled, and its parent hears of it", async () => {
  const { texts, store, id, result } = await run({
    lead: [
      { calls: [start("slow")] },
      { calls: [use("AgentCancel", { run: ".1", reason: "enough" })] },
      { text: "meanwhile" },
      { text: "done" },
    ],
    slow: [{ text: "late", delayMs: 60_000 }],
  })
  expect(texts.at(-1)).toMatch(/R\.1.*told.*stop/)
  expect((await stateOf(store, `${id}.1`)).end?.outcome).toEqual({ type: "cancelled", reason: "enough" })
  expect(result.output).toBe("done")
})

describe("1.17: messages", () => {
  const others = (script: ModelScript, agents?: readonly AgentInput[]) =>
    run(script, agents ? { agents, tools: [tool("nop")] } : { tools: [tool("nop")] })

  test("to a child are read at its next turn, as its parent's own words", async () => {
    const { store, id } = await others({
      lead: [
        { calls: [start("slow")] },
        { calls: [use("AgentSend", { to: ".1", text: "also look at b" })] },
        { text: "done" },
        { text: "done" },
      ],
      slow: [{ calls: [use("nop")], delayMs: 200 }, { text: "report" }],
    })
    const texts = [...(await stateOf(store, `${id}.1`)).messages].map(({ text }) => text)
    expect(texts).toContain("also look at b")
  })

  test("to the parent and to siblings stand in an envelope that they cannot close", async () => {
    const { store, id } = await others({
      lead: [
        { calls: [start("talker"), start("slow")] },
        { text: "a" },
        { text: "b" },
        { text: "c" },
        { text: "d" },
      ],
      talker: [
        { calls: [use("AgentSend", { to: "parent", text: "found </message> it" })], delayMs: 50 },
        { text: "report" },
      ],
      slow: [{ text: "report", delayMs: 200 }],
    })
    const texts = short([...(await stateOf(store, id)).messages].map(({ text }) => text))
    expect(texts).toContain('<message from="talker" run="R.1">\nfound &lt;/message> it\n</message>')
  })

  const sibling = (id: string): ModelScript => ({
    lead: [{ calls: [start("slow"), start("talker")] }, { text: "a" }, { text: "b" }, { text: "c" }],
    talker: [{ calls: [use("AgentSend", { to: id, text: "hello" })], delayMs: 100 }, { text: "report" }],
    slow: [{ calls: [use("nop")], delayMs: 300 }, { text: "report" }],
  })

  test.each<[string, readonly AgentInput[], RegExp]>([
    [
      "whose agent it may call, get them",
      ["lead", "talker", "slow"].map((name) => ({ name, instructions: name })),
      /R\.1.*next.*turn/,
    ],
    [
      "whose agent it may not call, do not",
      [
        { name: "lead", instructions: "l" },
        { name: "slow", instructions: "s" },
        { name: "talker", instructions: "t", rules: [{ tool: "Agent(slow)", decision: "deny" }] },
      ],
      /Agent.*"talker".*R\.1.*call.*"slow".?$/,
    ],
  ])("siblings %s", async (_, agents, text) => {
    // The id of the sibling is known only once the run has begun.
    const script = { ...sibling("") }
    const { runtime, store } = around(script, {
      agents,
      tools: [tool("nop")],
      runtime: {
        layers: {
          model: [
            async (request, next) => {
              const reply = await next(request)
              const calls = reply.calls.map((call) => ({
                ...call,
                arguments: call.arguments.replace('"to":""', `"to":"${request.run.slice(0, 26)}.1"`),
              }))
              return { ...reply, calls }
            },
          ],
        },
      },
    })
    const handle = runtime.run("lead", "go")
    await handle.done
    expect(short(await results(store, `${handle.id}.2`))[0]).toMatch(text)
  })

  test("to one that has ended are refused with what to do instead", async () => {
    const { texts } = await others({
      lead: [
        { calls: [hand("slow")] },
        { calls: [use("AgentSend", { to: ".1", text: "more" })] },
        { text: "done" },
      ],
      slow: [{ text: "report" }],
    })
    expect(texts.at(-1)).toMatch(/R\.1.*messages.*Continue/)
  })
})

test("what waits for other runs is there again after the process died", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "cadre-around-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script: ModelScript = {
    lead: [
      { calls: [start("asker"), start("slow")] },
      { calls: [use("AgentWait", { runs: [".2"] })] },
      { calls: [use("AgentSend", { to: ".1", text: "Use tabs." })] },
      { text: "waiting" },
      { text: "waiting" },
      { text: "done" },
    ],
    asker: [{ calls: [use("AskParent", { question: "Tabs?" })] }, { text: "asked" }],
    slow: [{ text: "slow", delayMs: 400 }],
  }
  const first = around(script, { store: jsonlStore({ directory: folder }) })
  const handle = first.runtime.run("lead", "go")
  for await (const event of handle) if (event.type === "tool-start" && event.waits !== undefined) break
  await first.runtime.close()
  await expect(handle.done).rejects.toThrow()
  const second = around(script, { store: jsonlStore({ directory: folder }) })
  const result = await second.runtime.resume(handle.id).done
  expect(result.outcome).toEqual({ type: "completed" })
  expect(await results(second.store, `${handle.id}.1`)).toEqual(["Use tabs."])
  await expectSound(second.store, handle.id)
  await second.runtime.close()
})

test.each([
  ["a message", use("AgentSend", { to: ".1", text: "also b" }), "message-add"],
  ["a cancel", use("AgentCancel", { run: ".1" }), "cancel-request"],
])(
  "%s is not lost where the process dies before the other run has recorded it",
  async (_, call, recorded) => {
    const script: ModelScript = {
      lead: [{ calls: [start("slow")] }, { calls: [call] }, { text: "w" }, { text: "w" }, { text: "done" }],
      slow: [{ calls: [use("nop")], delayMs: 50 }, { text: "report" }, { text: "report" }],
    }
    const store = memoryStore()
    let dead = false
    let sent!: () => void
    const wasSent = new Promise<void>((resolve) => {
      sent = resolve
    })
    const dying: Store = {
      ...store,
      async append(claim, events, options) {
        if (events.some(({ type }) => type === recorded)) {
          await wasSent
          dead = true
        }
        if (dead) throw new Error("it has died")
        const answer = await store.append(claim, events, options)
        if (events.some((event) => event.type === "tool-end" && (event as { call?: string }).call === "c2"))
          sent()
        return answer
      },
    }
    const first = around(script, { store: dying, tools: [tool("nop")] }).runtime.run("lead", "go")
    await expect(first.done).rejects.toThrow()
    const { runtime } = around(script, { store, tools: [tool("nop")] })
    expect((await runtime.resume(first.id, { force: true }).done).outcome).toEqual({ type: "completed" })
    const types: string[] = []
    for await (const { type } of store.read(`${first.id}.1`)) types.push(type)
    expect(types.filter((type) => type === recorded)).toEqual([recorded])
  },
)
