import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import { defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { agentControlTools } from "../../world/tools/subagents.ts"
import type { Fact } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { createRunId } from "../log/id.ts"
import type { Claim, StoredEvent } from "../log/store.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { executeControlCall } from "./control.ts"
import type { Drive } from "./drive-view.ts"
import { KeptInputs } from "./kept-inputs.ts"

const root = createRunId(1)
const me = `${root}.1`

interface Given {
  readonly input?: object
  /** The start of the run itself. */
  readonly start?: Partial<RunStart>
  readonly facts?: readonly Fact[]
  readonly call?: Partial<OpenCall>
  readonly rights?: RunState["rights"]
  readonly stopped?: boolean
  readonly withheld?: readonly string[]
}

/** The runs beside and below, as the store has them; `ended` ones with their report. */
const others = [
  { run: `${me}.1`, agent: "below", status: "open" },
  { run: `${me}.2`, agent: "below", status: "ended", output: "x".repeat(2_500) },
  { run: `${me}.1.1`, agent: "deep", status: "open" },
  { run: `${me}.3`, agent: "pipe", status: "open", kind: "pipeline" },
  { run: `${root}.2`, agent: "beside", status: "open" },
  { run: `${root}.3`, agent: "gone", status: "ended", output: "" },
] as const

/** The result of a call of one of these tools: facts, letters, and its text with `R` for the root. */
async function called(
  name: string,
  { input = {}, start = {}, facts = [], call = {}, rights = [], stopped = false, withheld = [] }: Given = {},
) {
  const store = memoryStore()
  const first = (run: string, more: object) =>
    store.create({ ...runStart, run, seq: 0, at: 1, v: 1, ...more } as unknown as StoredEvent)
  await first(root, { agent: "lead" })
  const claim = (await store.claim(root)) as Claim
  await first(me, { agent: "me" })
  for (const other of others) {
    await first(other.run, { agent: other.agent, ...("kind" in other && { kind: other.kind }) })
    if (other.status !== "ended") continue
    const read = { type: "message-add", key: `${me}:c9:message`, from: me, text: "hi" }
    const cancelled = { type: "cancel-request", key: `${me}:c9:cancel`, reason: "x" }
    const end = { type: "run-end", outcome: { type: "completed" }, output: other.output }
    for (const [index, fact] of [read, cancelled, end].entries())
      await store.append(claim, [
        { ...fact, run: other.run, seq: index + 1, at: 4_001, v: 1 } as unknown as StoredEvent,
      ])
  }
  const own: RunState = {
    ...folded({ ...runStart, agent: "me", caller: { run: root, call: "c1" }, ...start }, ...facts),
    run: me,
  }
  const state = { ...own, rights }
  const tools = new Map(agentControlTools().map((tool): [string, Tool] => [tool.name, tool]))
  const told: unknown[] = []
  const agents = ["below", "beside", "gone"].map((name) => defineAgent({ name, instructions: name }))
  const drive = {
    state,
    isStopped: stopped,
    definition: {
      agent: defineAgent({ name: "me", instructions: "me" }),
      withheld,
      tools: [...tools.values()],
      validate: (tool: string) => tools.get(tool)?.validate,
    },
    environment: {
      store,
      tools,
      hooks: new Map(),
      rights: { of: "the configuration", rules: [], otherwise: "allow" },
      agents: { find: (name: string) => agents.find((agent) => agent.name === name), all: () => agents },
    },
    inputs: new KeptInputs(),
    recorder: { record: async (fact: unknown) => void told.push(fact) },
    wake: () => told.push("woken"),
    tree: {
      post: (run: string, key: string, body: object) => told.push({ to: run, key, ...body }),
      send: async (run: string, key: string, body: object) => void told.push({ to: run, key, ...body }),
    },
  }
  const open = {
    ...asked(1, { kind: "control", tool: name, arguments: JSON.stringify(input) }),
    status: "asked",
    ...call,
  } as OpenCall
  await executeControlCall(drive as unknown as Drive, open)
  return JSON.parse(JSON.stringify(told).replaceAll(root, "R")) as readonly unknown[]
}

const started = (more: object = {}) => ({
  type: "tool-start",
  call: "c1",
  by: { type: "default" },
  ...more,
})
const ended = (status: string, text: unknown) => ({ type: "tool-end", call: "c1", result: { status, text } })

const childEnded = {
  type: "child-end",
  key: "k",
  outcome: { type: "completed" },
  output: "o",
  usage: {},
} as const

describe("waiting", () => {
  const child = (number: number): Fact => ({
    type: "child-start",
    call: `c${number}`,
    child: `r.${number}`,
    agent: "below",
    mode: "background",
  })
  /** The state is folded as `r` and then gets our id, and so do its children. */
  const facts = [
    ...turn(1, [asked(1, { kind: "delegation" }), asked(2, { kind: "delegation" })]),
    child(1),
    child(2),
  ].map((fact) => JSON.parse(JSON.stringify(fact).replaceAll('"r.', `"${me}.`)) as Fact)
  const both = [
    { run: "R.1.1", agent: "below" },
    { run: "R.1.2", agent: "below" },
  ]
  test("is for all that are at work, or for those that are named", async () => {
    expect(await called("AgentWait", { facts })).toEqual([
      started({ waits: { runs: both, until: "all" } }),
      "woken",
    ])
    expect(await called("AgentWait", { facts, input: { runs: [".2"], until: "any" } })).toEqual([
      started({ waits: { runs: both.slice(1), until: "any" } }),
      "woken",
    ])
  })
  test("ends in time: with the time that it had before a death", async () => {
    const [fact] = await called("AgentWait", { facts, input: { seconds: 5 } })
    const { expires } = (fact as { waits: { expires: number } }).waits
    expect(Math.abs(expires - Date.now() - 5_000)).toBeLessThan(5_000)
    const again = await called("AgentWait", {
      facts,
      input: { seconds: 5 },
      call: { waits: { runs: [], until: "all", expires: 7 } },
    })
    expect(again[0]).toMatchObject({ waits: { expires: 7 } })
  })
  test("is for no stranger, and names those that there are", async () => {
    expect(await called("AgentWait", { facts, input: { runs: [".3"] } })).toEqual([
      ended("error", expect.stringMatching(/^You have no subagent run "R\.1\.3"\. .*R\.1\.1/)),
    ])
    expect(await called("AgentWait", { facts, input: { runs: ["R.9.1"] } })).toEqual([
      ended("error", expect.stringContaining("You have no subagent run")),
    ])
  })
  test("is for one that has ended as well", async () => {
    const over = { ...childEnded, child: `${me}.1` } as Fact
    expect(await called("AgentWait", { facts: [...facts, over], input: { runs: [".1"] } })).toEqual([
      started({ waits: { runs: [{ run: "R.1.1", agent: "" }], until: "all" } }),
      "woken",
    ])
  })
})

describe("a question", () => {
  test("is recorded and goes to the caller", async () => {
    const told = await called("AskParent", { input: { question: "which?", seconds: 60 } })
    expect(told).toEqual([
      started({ asks: { expires: expect.any(Number) } }),
      { to: "R", key: "R.1:c1:ask", type: "child-ask", child: "R.1", question: "which?" },
      "woken",
    ])
  })
  test("that was asked before has the time it had, and is not sent when that is over", async () => {
    const asks = { expires: 7, otherwise: "red" }
    expect(await called("AskParent", { input: { question: "which?" }, call: { asks } })).toEqual([
      started({ asks }),
      "woken",
    ])
    const later = { expires: Date.now() + 60_000 }
    const told = await called("AskParent", { input: { question: "which?" }, call: { asks: later } })
    expect(told).toEqual([started({ asks: later }), expect.objectContaining({ type: "child-ask" }), "woken"])
  })
  test("is nobody's where there is no caller, or it may not ask", async () => {
    const nobody = [ended("error", expect.stringContaining("caller"))]
    expect(
      await called("AskParent", { input: { question: "?" }, start: { caller: undefined as never } }),
    ).toEqual(nobody)
    expect(await called("AskParent", { input: { question: "?" }, withheld: ["AskParent"] })).toEqual(nobody)
  })
})

describe("a message", () => {
  const to = (whom: string, more: Given = {}) =>
    called("AgentSend", { input: { to: whom, text: "hi" }, ...more })
  const sent = (run: string) => ended("ok", naming(`${run}`, "next", "turn"))
  const letter = (run: string, text: unknown = "hi") => ({
    to: run,
    key: "R.1:c1:message",
    type: "message",
    from: "R.1",
    text,
  })
  const named = expect.stringMatching(/R\.1.*hi/s)
  test("goes to one below as it is, and to others with its sender", async () => {
    expect(await to(".1")).toEqual([started({ sends: "R.1.1" }), letter("R.1.1"), sent("R.1.1")])
    expect(await to(".1.1")).toEqual([started({ sends: "R.1.1.1" }), letter("R.1.1.1"), sent("R.1.1.1")])
    expect((await to("parent")).slice(1)).toEqual([letter("R", named), sent("R")])
    expect((await to(`${root}.2`)).slice(1)).toEqual([letter("R.2", named), sent("R.2")])
  })
  test("goes to nobody who may not be called, who is not there, or who reads nothing", async () => {
    const rights = [
      { of: "x", rules: [{ tool: "Agent(beside)", decision: "deny" as const }], otherwise: "allow" as const },
    ]
    expect((await to(`${root}.2`, { rights }))[1]).toEqual(
      ended("error", naming("Agent", '"me"', "R.2", "call", '"beside"')),
    )
    expect((await to(".9"))[1]).toEqual(ended("error", expect.stringContaining('no subagent run ".9"')))
    expect((await to("parent", { start: { caller: undefined as never } }))[1]).toEqual(
      ended("error", expect.stringContaining("caller")),
    )
    expect((await to(".3"))[1]).toEqual(ended("error", expect.stringContaining("R.1.3")))
  })
  test("to one that has ended is sent where it was read before a death, and not otherwise", async () => {
    expect((await to(".2"))[1]).toEqual(ended("error", naming("R.1.2", "messages", "Continue")))
    const before = await to(".2", { call: { id: "c9" } })
    expect(before[1]).toMatchObject({
      result: { status: "ok", text: expect.stringContaining("Sent to run R.1.2") },
    })
  })
})

describe("a cancel", () => {
  const cancel = (run: string, more: Given = {}) => called("AgentCancel", { input: { run }, ...more })
  const told = ended("ok", naming("R.1.1", "told", "stop"))
  test("goes to one below, with a reason", async () => {
    const letter = { to: "R.1.1", key: "R.1:c1:cancel", type: "cancel" }
    expect((await cancel(".1")).slice(1)).toEqual([
      { ...letter, reason: expect.stringMatching(/parent.*stop/) },
      told,
    ])
    const why = await called("AgentCancel", { input: { run: ".1", reason: "late" } })
    expect(why.slice(1)).toEqual([{ ...letter, reason: "late" }, told])
  })
  test("of one that has ended says so, unless it was told before a death", async () => {
    expect((await cancel(".2"))[1]).toEqual(ended("ok", "Run R.1.2 has already ended."))
    expect((await cancel(".2", { call: { id: "c9" } }))[1]).toMatchObject({
      result: { text: expect.stringContaining("was told to stop") },
    })
  })
  test("goes to nobody beside it", async () => {
    expect((await cancel(`${root}.2`))[1]).toEqual(
      ended("error", expect.stringContaining("You have no subagent run")),
    )
  })
})

describe("a report", () => {
  const page = (run: string, number?: number) =>
    called("AgentReport", {
      input: { run, ...(number !== undefined && { page: number }) },
      start: { limits: { ...runStart.limits, maxResultBytes: 4_000 } },
    })
  test("is read page by page", async () => {
    const texts = await Promise.all([1, 2, 3].map(async (number) => (await page(".2", number))[1]))
    expect(
      texts.map((one) => (one as { result: { text: string } }).result.text.match(/x+/g)?.join("").length),
    ).toEqual([1_000, 1_000, 500])
    expect((await page(".2", 4))[1]).toEqual(ended("error", "The report of run R.1.2 has 3 pages."))
  })
  test("is none where the run has not ended, or is not one's own", async () => {
    expect((await page(".1"))[1]).toEqual(ended("error", naming("R.1.1", "ended", "report")))
    expect((await page(`${root}.3`))[1]).toEqual(
      ended("error", expect.stringContaining("You have no subagent run")),
    )
  })
})

describe("how children stand", () => {
  test("is told of one's own alone", async () => {
    const [, end] = await called("AgentStatus", {})
    const { text } = (end as { result: { text: string } }).result
    expect(text.split("\n").map((line) => line.replace(/\d{3,}/g, "N"))).toEqual([
      "- R.1.1 (below): running for N s, last event N s ago",
      "- R.1.2 (below): ended (completed) after 4 s",
      "- R.1.3 (pipe): running for N s, last event N s ago",
    ])
  })
  test("and of one that waits for a person", async () => {
    const facts: readonly Fact[] = [
      { type: "child-start", call: "c1", child: `${me}.1`, agent: "below", mode: "background" },
      { type: "child-rest", child: `${me}.1`, key: "k" },
    ]
    const [, end] = await called("AgentStatus", { facts })
    expect((end as { result: { text: string } }).result.text).toContain(
      "- R.1.1 (below): waits for a person\n",
    )
  })
})

test("nothing is done for a run that is stopped, for a tool that is gone, or for wrong arguments", async () => {
  expect(await called("AgentStatus", { stopped: true })).toEqual([])
  expect(await called("Gone")).toEqual([ended("error", expect.stringContaining("Gone"))])
  expect(await called("AgentCancel", { input: {} })).toEqual([ended("error", expect.any(String))])
})
