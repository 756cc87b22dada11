import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { applyRunEvent } from "../decide/apply.ts"
import type { Fact } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { createRunId } from "../log/id.ts"
import type { StoredEvent } from "../log/store.ts"
import type { RunState } from "../state/state.ts"
import type { Drive } from "./drive-view.ts"
import { buildFallbackChain, keepRequestedModel, resumeFallback, startFallback } from "./fall-back.ts"

const root = createRunId(1)

const failing = (...more: readonly Fact[]): RunState => {
  const state = folded(
    runStart,
    ...turn(1, [asked(1, { kind: "delegation", tool: "Agent" })]),
    { type: "child-start", call: "c1", child: `${root}.1`, agent: "a", mode: "wait", fallback: ["b"] },
    {
      type: "child-end",
      child: `${root}.1`,
      key: "k",
      outcome: { type: "failed", reason: "x" },
      output: "",
      usage: {},
    },
  )
  return more.reduce(
    (next, fact) => applyRunEvent(next, { ...fact, run: root, seq: 9, at: 0, v: 1 } as never),
    {
      ...state,
      run: root,
    },
  )
}

/** A drive with all parts that are used before another agent begins. */
async function driven(
  state: RunState,
  { stopped = false, agents = ["a"] }: { stopped?: boolean; agents?: readonly string[] } = {},
) {
  const store = memoryStore()
  const first = (run: string, more: object = {}) =>
    store.create({
      ...runStart,
      run,
      seq: 0,
      at: 1,
      v: 1,
      task: "the task",
      ...more,
    } as unknown as StoredEvent)
  await first(root)
  await store.claim(root)
  await first(`${root}.1`, { agent: "a" })
  const told: unknown[] = []
  const known = new Map(agents.map((name) => [name, defineAgent({ name, instructions: name } as AgentInput)]))
  const drive = {
    state,
    isStopped: stopped,
    definition: { agent: defineAgent({ name: "lead", instructions: "l" }) },
    numberChild: () => 2,
    environment: {
      store,
      agents: {
        find: (name: string) => known.get(name),
        get: (name: string) => known.get(name) ?? missing(name),
        names: () => known.keys(),
        all: () => [...known.values()],
      },
    },
    recorder: { record: async (fact: unknown) => void told.push(fact) },
  }
  return { drive: drive as unknown as Drive, told }
}

function missing(name: string): never {
  throw new Error(`There is no agent named "${name}".`)
}

describe("the task of a child that failed", () => {
  test("is nobody's where no agent is left that could begin, and the log says why", async () => {
    const { drive, told } = await driven(failing())
    await startFallback(drive, `${root}.1`)
    expect(told).toEqual([
      {
        type: "fallback-end",
        child: `${root}.1`,
        skipped: [{ agent: "b", reason: 'There is no agent named "b".' }],
      },
    ])
  })

  test("is left to whoever drives the run next, where this process no longer does", async () => {
    const { drive, told } = await driven(failing(), { stopped: true })
    await startFallback(drive, `${root}.1`)
    expect(told).toEqual([])
  })

  test("is nobody's where the run itself was stopped", async () => {
    const stop: Fact = { type: "cancel-request", key: "s", reason: "enough" }
    const { drive, told } = await driven(failing(stop), { stopped: true })
    await startFallback(drive, `${root}.1`)
    expect(told).toEqual([{ type: "fallback-end", child: `${root}.1` }])
  })

  test("is not looked for where the child has not failed, or is none", async () => {
    const open = folded(runStart, ...turn(1, [asked(1, { kind: "delegation", tool: "Agent" })]), {
      type: "child-start",
      call: "c1",
      child: `${root}.1`,
      agent: "a",
      mode: "wait",
      fallback: ["b"],
    })
    const { drive, told } = await driven(open)
    await startFallback(drive, `${root}.1`)
    await startFallback(drive, `${root}.7`)
    expect(told).toEqual([])
  })

  test("is not given to one that a person would have to be asked about, nor to one that had it", async () => {
    const rights = [
      { of: "x", rules: [{ tool: "Agent(b)", decision: "ask" as const }], otherwise: "allow" as const },
    ]
    const { drive, told } = await driven({ ...failing(), rights }, { agents: ["a", "b"] })
    await startFallback(drive, `${root}.1`)
    expect(told).toMatchObject([
      { skipped: [{ agent: "b", reason: expect.stringContaining("cannot ask for approval") }] },
    ])
  })

  test("is not given to one that is too deep", async () => {
    const state = failing()
    const start = { ...state.start!, depth: 3 }
    const { drive, told } = await driven({ ...state, start }, { agents: ["a", "b"] })
    await startFallback(drive, `${root}.1`)
    expect(told).toMatchObject([{ skipped: [{ agent: "b", reason: expect.stringContaining("depth") }] }])
  })

  test("after a restart is not begun by one that is gone, or that had it", async () => {
    const { drive } = await driven(failing())
    const child = {
      run: `${root}.2`,
      call: "c1",
      agent: "b",
      mode: "wait",
      resting: false,
      fallbackOf: `${root}.1`,
    } as const
    expect(await resumeFallback(drive, child)).toEqual({ problem: 'There is no agent named "b".' })
    const again = {
      ...child,
      agent: "a",
      fallback: { tool: "Agent", next: [], tried: [{ agent: "a", run: `${root}.1`, reason: "x" }] },
    }
    expect(await resumeFallback(drive, again)).toEqual({ problem: 'Agent "a" was tried already.' })
  })
})

test.each([
  [undefined, ["c"], ["c"]],
  [
    ["d", "c"],
    ["c", "e"],
    ["d", "c", "e"],
  ],
  [["d"], [], ["d"]],
])("after an agent with %j, of %j are left %j", (fallback, left, expected) => {
  const agent = defineAgent({ name: "b", instructions: "b", ...(fallback && { fallback }) })
  expect(buildFallbackChain(agent, left)).toEqual(expected)
})

test.each<[Partial<RunStart["model"]>, object]>([
  [{ source: "call", requested: "m" }, { model: "m" }],
  [{ source: "call", requested: null }, { model: null }],
  [{ source: "call", requested: ["m", "n"] }, {}],
  [{ source: "definition", requested: "m" }, {}],
])("the model %j is asked for again as %j", (model, expected) => {
  expect(keepRequestedModel({ ...runStart, model: { ...runStart.model, ...model } })).toEqual(expected)
})
