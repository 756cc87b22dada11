import { describe, expect, test } from "vitest"
import { sumTokens } from "../../src/ground/usage.ts"
import { expectSound, tool, world } from "../kit.ts"

const delegate = (agent: string, prompt: string) => ({ tool: "Agent", input: { agent, prompt } })

/** A lead with many children at once, and in which order they asked their model. */
function crowd(
  count: number,
  usage: { inputTokens: number; outputTokens: number; cost?: number },
  price?: object,
) {
  const asked: string[] = []
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: Array.from({ length: count }, (_, n) => delegate("worker", `item ${n}`)), usage },
        { text: "done", usage },
      ],
      worker: [{ text: "done", delayMs: 3, usage }],
    },
    runtime: {
      ...price,
      layers: {
        model: [
          (request, next) => {
            asked.push(request.run.split(".").slice(1).join("."))
            return next(request)
          },
        ],
      },
    },
  })
  return { runtime, store, children: () => asked.filter((run) => run !== "") }
}

describe("who waits for tokens waits in line", () => {
  test.each([1, 2, 3])("children are served as they came, and none is passed over (%i)", async () => {
    const usage = { inputTokens: 60, outputTokens: 20 }
    const { runtime, store, children } = crowd(60, usage)
    const limits = { maxTokens: 3_000, maxOutputTokens: 600, maxConcurrency: 4, maxSpawns: 100 }
    const handle = runtime.run("lead", "go", { limits })
    const { proof } = await handle.done
    const served = children()
    // Those that began at the same moment may have come in any order.
    expect(served.slice(0, 4).sort()).toEqual(["1", "2", "3", "4"])
    expect(served.slice(4)).toEqual(Array.from({ length: served.length - 4 }, (_, n) => String(n + 5)))
    expect(served.length).toBeGreaterThan(10)
    expect(sumTokens(proof.usage.inclusive.script!)).toBeLessThanOrEqual(3_000)
    await expectSound(store, handle.id)
  })

  test("a large request at the head is not starved by small ones, and ends as the limit where it can never fit", async () => {
    const usage = { inputTokens: 30, outputTokens: 10 }
    const asked: string[] = []
    const { runtime, store } = world({
      script: {
        lead: [
          {
            calls: [
              delegate("small", "a"),
              delegate("large", "b".repeat(3_000)),
              delegate("huge", "c".repeat(40_000)),
            ].concat(Array.from({ length: 8 }, () => delegate("small", "d"))),
            usage,
          },
          { text: "done", usage },
        ],
        small: [
          ...Array.from({ length: 10 }, () => ({ calls: [{ tool: "work", input: {} }], delayMs: 3, usage })),
          { text: "done", delayMs: 3, usage },
        ],
        large: [{ text: "done", delayMs: 3, usage }],
        huge: [{ text: "done", usage }],
      },
      agents: ["lead", "small", "large", "huge"].map((name) => ({
        name,
        instructions: "x",
        limits: { maxOutputTokens: 1_500 },
      })),
      tools: [tool("work")],
      runtime: {
        layers: {
          model: [
            (request, next) => {
              asked.push(request.run.split(".").slice(1).join("."))
              return next(request)
            },
          ],
        },
      },
    })
    const limits = { maxTokens: 14_000, maxConcurrency: 6 }
    const handle = runtime.run("lead", "go", { limits })
    await handle.done
    const ends = await Promise.all([2, 3].map(async (n) => (await runtime.read(`${handle.id}.${n}`)).outcome))
    expect(ends).toEqual([{ type: "completed" }, { type: "limit", limit: "tokens" }])
    // The small ones would have gone on for many turns before it, had they not waited behind it.
    expect(asked.length - asked.indexOf("2")).toBeGreaterThan(30)
    await expectSound(store, handle.id)
  })

  test("a run that is cancelled while it waits holds nobody up", async () => {
    const usage = { inputTokens: 60, outputTokens: 20 }
    const { runtime, store, children } = crowd(12, usage)
    const limits = { maxTokens: 3_000, maxOutputTokens: 1_500, maxConcurrency: 4 }
    const handle = runtime.run("lead", "go", { limits })
    for await (const event of handle)
      if (event.type === "model-start" && event.run === `${handle.id}.1`) {
        await runtime.cancel(`${handle.id}.2`)
        break
      }
    await handle.done
    expect((await runtime.read(`${handle.id}.2`)).outcome?.type).toBe("cancelled")
    expect(
      children()
        .filter((run) => run !== "2")
        .slice(0, 4),
    ).toEqual(["1", "3", "4", "5"])
    await expectSound(store, handle.id)
  })
})
