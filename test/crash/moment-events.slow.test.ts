import { describe, expect, test } from "vitest"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { orderedLog } from "../cases/support.ts"
import { expectSound, stateOf, tool, world } from "../kit.ts"
import { storeWith } from "./store-with.ts"

const delegate = { tool: "Agent", input: { agent: "worker", prompt: "work" } }
const script: ModelScript = {
  lead: [{ calls: [delegate] }, ...Array.from({ length: 6 }, () => ({ text: "done" }))],
  worker: [{ text: "report" }],
  scout: [{ text: "scouted" }],
  reviewer: [{ text: "reviewed" }],
}

/** Everything that a hook ran, by run, moment and command; kept outside of any runtime. */
type Ran = Map<string, number>

function open(hooks: Json, ran: Ran, store?: Store) {
  const bash = tool(
    "Bash",
    (input, { run, call }) => {
      const command = String(input.command)
      const key = `${run.replace(/^[^.]*/, "R")} ${call.replace(/[0-9a-z]{26}/, "R")} ${command}`
      ran.set(key, (ran.get(key) ?? 0) + 1)
      return { text: "", evidence: { files: [], commands: [{ command, exitCode: 0 }] } }
    },
    { effect: "opaque" },
  )
  return world({
    script,
    tools: [bash],
    runtime: {
      lifecycle: createHookSource([{ name: "project", of: "project", hooks }]),
      limits: { maxToolCalls: 1 },
    },
    ...(store && { store }),
  })
}

async function whole(hooks: Json) {
  const ran: Ran = new Map()
  const { runtime, store } = open(hooks, ran)
  const { run } = await runtime.run("lead", "go").done
  return { run, store, ran, log: await orderedLog(store, run) }
}

/** Resumes what was recorded so far, in a process that knows nothing else. */
async function resumed(
  hooks: Json,
  { run, store }: { run: string; store: Store },
  log: readonly StoredEvent[],
) {
  const cut = await storeWith(log, store)
  const ran: Ran = new Map()
  await open(hooks, ran, cut).runtime.resume(run).done
  await expectSound(cut, run)
  return { cut, ran, state: await stateOf(cut, run) }
}

test("36: what hooks spawn at moments is spawned once, wherever the log is cut off", async () => {
  const when = 'agent == "lead"'
  const hooks: Json = {
    run_start: { when, spawn_agent: { agent: "scout", prompt: "look" }, set_variable: { started: true } },
    after_spawn: { when, inject_context: "checked", set_variable: { child: "{{ report }}" } },
    stop: [
      { when: `${when} and not variables.reviewed`, spawn_agent: { agent: "reviewer", prompt: "review" } },
      { when, set_variable: { reviewed: true } },
      { when: `${when} and round == 2`, block: "once more" },
    ],
    run_end: { when, set_variable: { ended: "{{ outcome }}" } },
  }
  const found = async (store: Store, run: string) => {
    const state = await stateOf(store, run)
    const log = await orderedLog(store, run)
    return {
      outcome: state.end?.outcome,
      variables: state.variables,
      texts: [...state.messages].map(({ text }) => text.replaceAll(run, "R")),
      agents: log.flatMap((event) =>
        event.type === "run-start" ? [(event as never as { agent: string }).agent] : [],
      ),
      asked: log.flatMap((event) =>
        event.type === "moment-end" && event.run === run
          ? [(event as never as { id: string }).id.replace(run, "R")]
          : [],
      ),
    }
  }
  const undisturbed = await whole(hooks)
  const expected = await found(undisturbed.store, undisturbed.run)
  expect(expected).toMatchObject({
    outcome: { type: "completed" },
    variables: { started: true, child: "report", reviewed: true, ended: "completed" },
    agents: ["lead", "scout", "worker", "reviewer"],
    asked: ["run_start", "after_spawn:R.2", "stop:2", "stop:3", "stop:4", "run_end"],
  })
  for (let length = 1; length < undisturbed.log.length; length++) {
    const { cut } = await resumed(hooks, undisturbed, undisturbed.log.slice(0, length))
    expect({ length, ...(await found(cut, undisturbed.run)) }).toEqual({ length, ...expected })
  }
})

const events = [
  "run_start",
  "before_model",
  "after_model",
  "after_spawn",
  "limit_near",
  "stop",
  "run_end",
] as const
const everywhere: Json = Object.fromEntries(
  events.map((event) => [event, [{ run: `${event} one` }, { run: `${event} two` }]]),
)

test("36: no command at a moment is run twice, wherever the log is cut off", async () => {
  const undisturbed = await whole(everywhere)
  expect([...undisturbed.ran.values()].every((count) => count === 1)).toBe(true)
  expect(events.filter((event) => ![...undisturbed.ran.keys()].some((key) => key.includes(event)))).toEqual(
    [],
  )
  for (let length = 1; length < undisturbed.log.length; length++) {
    const begun = commandsIn(undisturbed.log.slice(0, length), undisturbed.run)
    const { ran, state } = await resumed(everywhere, undisturbed, undisturbed.log.slice(0, length))
    const again = [...ran].filter(([key, count]) => count > 1 || begun.includes(key))
    expect({ length, again, ended: state.end !== undefined }).toEqual({ length, again: [], ended: true })
  }
})

test("no command at a moment is run again, whichever event is lost and wherever the process died after it", async () => {
  const undisturbed = await whole(everywhere)
  const { log } = undisturbed
  for (let at = 1; at < log.length; at++) {
    if (log[at]!.seq === 0) continue
    for (const length of new Set([at + 1, at + 2, at + 5, log.length - 1])) {
      if (length > log.length || length <= at) continue
      const before = log.slice(0, length)
      const begun = commandsIn(before, undisturbed.run)
      const lost = before.map((event, index) => (index === at ? lostEvent(event) : event))
      const cut = await storeWith(lost, undisturbed.store)
      const ran: Ran = new Map()
      await open(everywhere, ran, cut).runtime.resume(undisturbed.run).done
      const again = [...ran].filter(([key, count]) => count > 1 || begun.includes(key))
      const place = `${at} (${log[at]!.type}) of ${length}`
      expect({ place, again, ended: (await stateOf(cut, undisturbed.run)).end !== undefined }).toEqual({
        place,
        again: [],
        ended: true,
      })
    }
  }
}, 120_000)

const lostEvent = ({ run, seq, at, v }: StoredEvent): StoredEvent =>
  ({ run, seq, at, v, type: "event-lost", reason: "test" }) as StoredEvent

function commandsIn(log: readonly StoredEvent[], root: string): readonly string[] {
  return (log as unknown as readonly RunEvent[]).flatMap((event) =>
    event.type === "hook-start"
      ? [`${event.run.replace(root, "R")} ${event.call.replace(root, "R")} ${event.command}`]
      : [],
  )
}

describe("36: where nobody saw the command of a hook end", () => {
  test.each<[(typeof events)[number], Json, Json, readonly string[]]>([
    ["run_start", { type: "denied" }, null, []],
    ["before_model", { type: "denied" }, null, []],
    ["after_model", { type: "completed" }, null, ["after_model two"]],
    ["after_spawn", { type: "completed" }, null, ["after_spawn two"]],
    ["limit_near", { type: "completed" }, null, ["limit_near two"]],
    [
      "stop",
      { type: "completed" },
      { final: true, reason: expect.stringContaining("verdict is unknown") as never },
      [],
    ],
    ["run_end", { type: "completed" }, null, ["run_end two"]],
  ])("at %s, the run ends so, and others are still asked", async (event, outcome, objection, others) => {
    const undisturbed = await whole(everywhere)
    const started = undisturbed.log.findIndex(
      (stored) =>
        stored.type === "hook-start" && (stored as never as { command: string }).command === `${event} one`,
    )
    const { run } = undisturbed.log[started]!
    const { cut, ran } = await resumed(everywhere, undisturbed, undisturbed.log.slice(0, started + 1))
    const state = await stateOf(cut, run)
    const here = run.replace(undisturbed.run, "R")
    const id = (undisturbed.log[started] as never as { call: string }).call.replace(undisturbed.run, "R")
    expect(state.end?.outcome).toMatchObject(outcome as object)
    expect(state.moments?.objection ?? null).toEqual(
      objection === null ? null : expect.objectContaining(objection as object),
    )
    expect([...ran.keys()].filter((key) => key.startsWith(`${here} ${id} `))).toEqual(
      others.map((command) => `${here} ${id} ${command}`),
    )
    const ends = (await orderedLog(cut, undisturbed.run)) as unknown as readonly RunEvent[]
    const end = ends.find(
      (one) => one.type === "moment-end" && one.run === run && one.id.replace(undisturbed.run, "R") === id,
    )
    if (others.length > 0)
      expect(end).toMatchObject({ problems: [expect.stringMatching(/started when its process ended/)] })
    else expect(end).toBeUndefined()
  })
})
