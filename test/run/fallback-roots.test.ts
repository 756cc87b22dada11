import { describe, expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { RunHandle } from "../../src/run/face/handle.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf, world } from "../kit.ts"
import { agent, fails } from "./fallback-kit.ts"

/** What whoever iterates a handle sees, in order. */
async function watched(handle: RunHandle): Promise<readonly string[]> {
  const agents = new Map<string, string>()
  const lines: string[] = []
  for await (const event of handle) {
    if (event.type === "run-start") agents.set(event.run, event.agent)
    const agent = agents.get(event.run)
    if (event.type === "run-start") lines.push(`${agent} starts`)
    if (event.type === "run-end") lines.push(`${agent} ${event.outcome.type}`)
    if (event.type === "text-delta")
      lines.push(`${lines.at(-1)?.includes(" says ") ? lines.pop() : `${agent} says `}${event.text}`)
  }
  return lines
}

describe("a root", () => {
  const parts = {
    agents: [agent("a", ["nobody", "b", "c"]), agent("b", ["a"]), agent("c", [], { variables: { x: 1 } })],
    script: { a: fails, b: fails, c: [{ match: "the task", text: "I did it." }] },
  }
  const roots = async (store: Store) => {
    const runs: string[] = []
    for await (const { run, agent, outcome } of store.list()) runs.unshift(`${agent} ${outcome} ${run}`)
    return runs.map((line) => line.split(" "))
  }

  test("that fails is followed by a root of the next agent, which says of whom", async () => {
    const { runtime, store } = world(parts)
    const { id, done } = runtime.run("a", "the task", { variables: { y: 2 }, timeout: 5_000, dedupe: "k" })
    const result = await done
    const [first, second, third] = await roots(store)
    expect([first?.slice(0, 2), second?.slice(0, 2), third?.slice(0, 2)]).toEqual([
      ["a", "failed"],
      ["b", "failed"],
      ["c", "completed"],
    ])
    expect(first![2]).toBe(id)
    expect(result).toMatchObject({
      run: third![2],
      agent: "c",
      output: "I did it.",
      fallbackOf: second![2],
      tried: [
        { agent: "a", run: id, reason: "failed: 500" },
        { agent: "nobody", reason: expect.stringMatching("There is no agent named") },
        { agent: "b", run: second![2], reason: "failed: 500" },
      ],
    })
    const { start } = await stateOf(store, third![2]!)
    expect({ variables: start!.variables, timeout: start!.limits.timeout, dedupe: start!.dedupe }).toEqual({
      variables: { x: 1, y: 2 },
      timeout: 5_000,
      dedupe: "k",
    })
  })

  test("that fails last says so, and whom it came after", async () => {
    const { runtime } = world({ ...parts, script: { ...parts.script, c: fails } })
    const { agent, outcome, tried } = await runtime.run("a", "the task").done
    expect([agent, outcome, tried?.map(({ agent }) => agent)]).toEqual([
      "c",
      { type: "failed", reason: "500" },
      ["a", "nobody", "b"],
    ])
  })

  test("is cancelled with whoever has its task by then", async () => {
    const { runtime, store } = world({
      ...parts,
      script: { ...parts.script, b: [{ text: "x", delayMs: 60_000 }] },
    })
    const controller = new AbortController()
    const { done } = runtime.run("a", "the task", { signal: controller.signal })
    while ((await roots(store)).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort()
    expect([(await done).agent, (await done).outcome?.type]).toEqual(["b", "cancelled"])
    expect((await roots(store)).length).toBe(2)
  })

  test("is watched on through whoever has its task after it, live, late and resumed", async () => {
    const store = memoryStore()
    const { runtime } = world({ ...parts, store })
    const run = runtime.run("a", "the task")
    const live = await watched(run)
    const whole = [
      "a starts",
      "a failed",
      "b starts",
      "b failed",
      "c starts",
      "c says I did it.",
      "c completed",
    ]
    expect(live).toEqual(whole)
    const recorded = whole.filter((line) => !line.includes("says"))
    expect(await watched(run)).toEqual(recorded)
    expect(await watched(runtime.resume(run.id))).toEqual(recorded)
    const alone = world({ script: { a: fails } }).runtime.run("a", "the task")
    expect([await watched(alone), await watched(alone)]).toEqual([
      ["a starts", "a failed"],
      ["a starts", "a failed"],
    ])
  })

  test("that another process left when the next one was at work is watched on from there", async () => {
    const store = memoryStore()
    const dying = world({ ...parts, store: faultyStore(store, { dieAfter: 5 }) }).runtime.run("a", "the task")
    await expect(watched(dying)).rejects.toThrow()
    expect((await roots(store)).map(([agent]) => agent)).toEqual(["a", "b"])
    const { runtime } = world({ ...parts, store })
    const lines = await watched(runtime.resume(dying.id, { force: true }))
    expect(lines.filter((line) => !line.includes("says"))).toEqual([
      "a starts",
      "a failed",
      "b starts",
      "b failed",
      "c starts",
      "c completed",
    ])
  })

  for (const plan of ["dieAfter", "dieDuring"] as const)
    test(`is followed once by each, wherever the process dies: ${plan}`, async () => {
      let died = 0
      for (let count = 1; ; count++) {
        const store = memoryStore()
        const dying = world({ ...parts, store: faultyStore(store, { [plan]: count }) })
        const { id, done } = dying.runtime.run("a", "the task")
        const ended = await done.then(
          () => true,
          () => false,
        )
        if (ended) break
        died++
        const { runtime } = world({ ...parts, store })
        const first = await runtime.resume(id, { force: true }).done
        const second = await runtime.resume(id, { force: true }).done
        expect({ count, agents: [first.agent, second.run === first.run] }).toEqual({
          count,
          agents: ["c", true],
        })
        expect((await roots(store)).map((line) => line.slice(0, 2))).toEqual([
          ["a", "failed"],
          ["b", "failed"],
          ["c", "completed"],
        ])
      }
      expect(died).toBeGreaterThan(6)
    })
})
