import fc from "fast-check"
import { expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import type { ModelScript, ScriptedTurn } from "../../src/world/models/scripted.ts"
import { orderedLog } from "../cases/support.ts"
import { storeWith } from "../crash/store-with.ts"
import { expectSound, tool, world } from "../kit.ts"
import { rounds } from "../rounds.ts"

const names = ["lead", "a", "b", "c"] as const
const name = fc.constantFrom(...names)

/** A hook that spawns anybody, blocks or tells, of the project or of one agent, for all agents or for one. */
const hook = fc
  .record({
    event: fc.constantFrom(
      ...["before_tool", "before_spawn", "after_tool", "run_start", "before_model", "after_model"],
      ...["after_spawn", "limit_near", "stop"],
    ),
    effect: fc.constantFrom("spawn", "spawn", "spawn", "block", "tell"),
    agent: name,
    mode: fc.constantFrom("replace", "before", "background"),
    agents: fc.option(name, { freq: 3, nil: undefined }),
    of: fc.constantFrom("project", ...names),
  })
  .map(({ event, effect, agent, mode, agents, of }) => {
    const isBeforeCall = event === "before_tool" || event === "before_spawn"
    const spawn_agent = { agent, prompt: "x", mode: isBeforeCall || mode !== "replace" ? mode : "before" }
    const effects: Readonly<Record<string, Json>> = {
      spawn: { spawn_agent },
      tell: event === "stop" ? { block: "more" } : { inject_context: "told" },
      block: { block: "no" },
    }
    return { of, entry: { event, ...(agents && { agents }), ...(effects[effect] as object) } as Json }
  })

const call = fc.oneof(
  fc.constant({ tool: "Note", input: {} }),
  fc.record({ agent: name, background: fc.boolean() }).map(({ agent, background }) => ({
    tool: "Agent",
    input: { agent, prompt: "y", background },
  })),
)
const reply: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(99).map((number) => ({ text: `said ${number}` })) },
  { weight: 2, arbitrary: fc.array(call, { minLength: 1, maxLength: 2 }).map((calls) => ({ calls })) },
)
const many = { minLength: 30, maxLength: 30 }
/** Of those that may fail, so that others get their task. */
const failing = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: reply },
    { weight: 1, arbitrary: fc.constant<ScriptedTurn>({ error: { message: "500" } }) },
  ),
  many,
)

const maxSpawns = 20

test("whatever hooks spawn and block, a tree goes in no circles and ends within its limits, from any cut in the same way", async () => {
  const scripts = fc.tuple(fc.array(reply, many), failing, failing, failing)
  const property = fc.asyncProperty(
    fc.array(hook, { minLength: 1, maxLength: 6 }),
    scripts,
    fc.integer({ min: 1, max: 3 }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    async (hooks, said, maxConcurrency, where) => {
      const script: ModelScript = Object.fromEntries(names.map((one, index) => [one, said[index]!]))
      const written = (of: string) => hooks.filter((one) => one.of === of).map(({ entry }) => entry)
      const open = (store?: Store) =>
        world({
          script,
          agents: names.map(
            (one): AgentInput => ({
              name: one,
              instructions: one,
              hooks: written(one),
              ...(one !== "c" && { fallback: ["c"] }),
            }),
          ),
          tools: [tool("Note", () => "noted")],
          runtime: {
            lifecycle: createHookSource([{ name: "p", of: "project", hooks: written("project") }]),
            limits: { maxSpawns, maxTurns: 8, maxConcurrency, timeout: 30_000 },
          },
          ...(store && { store }),
        })
      const { runtime, store } = open()
      const { run, outcome } = await runtime.run("lead", "go").done
      expect(["completed", "limit", "denied", "loop"]).toContain(outcome?.type)
      const log = await orderedLog(store, run)
      const cut = await storeWith(log.slice(0, 1 + Math.floor(where * (log.length - 1))), store)
      const again = await open(cut).runtime.resume(run).done
      expect(again.outcome?.type).toBe(outcome?.type)
      for (const one of [store, cut]) {
        await expectSound(one, run)
        const events = (await orderedLog(one, run)) as unknown as readonly RunEvent[]
        expect(events.filter(({ type }) => type === "child-start").length).toBeLessThanOrEqual(maxSpawns)
        expect([askedTwice(events), circles(events)]).toEqual([[], []])
      }
    },
  )
  await fc.assert(property, { numRuns: rounds(100) })
})

/** Moments that hooks were asked about more than once; a second record only says that somebody could not be spawned. */
function askedTwice(events: readonly RunEvent[]): readonly string[] {
  const asked = events.flatMap((event) =>
    event.type === "moment-end" && !event.problems?.some((problem) => problem.includes("could not start"))
      ? [`${event.run} ${event.id}`]
      : [],
  )
  return asked.filter((id, index) => asked.indexOf(id) !== index)
}

/** Runs that a hook spawned in or below one that it had spawned, or one of the agent that it spawns. */
function circles(events: readonly RunEvent[]): readonly RunEvent[] {
  const starts = new Map(events.flatMap((event) => (event.type === "run-start" ? [[event.run, event]] : [])))
  return events.filter((event) => {
    if (event.type !== "child-start" || !event.hook) return false
    const { agent, above = [], spawnedBy = [] } = starts.get(event.run)!
    return spawnedBy.includes(event.hook.hook) || [agent, ...above].includes(event.hook.agent)
  })
}
