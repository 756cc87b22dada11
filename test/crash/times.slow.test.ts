import { describe, expect, test } from "vitest"
import type { ToolStart } from "../../src/run/log/event.ts"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { results, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { storeWith } from "./store-with.ts"

const use = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const ends = (text: string) => Array.from({ length: 6 }, () => ({ text }))

const asking = (input: object): ModelScript => ({
  lead: [use("Agent", { agent: "asker", prompt: "x" }), ...ends("lead done")],
  asker: [use("AskParent", { question: "Tabs?", seconds: 600, ...input }), ...ends("asker done")],
})
const waiting: ModelScript = {
  lead: [
    use("Agent", { agent: "slow", prompt: "x", background: true }),
    use("AgentWait", { seconds: 600 }),
    ...ends("lead done"),
  ],
  slow: [{ text: "slow done", delayMs: 3_000 }],
}

const open = (script: ModelScript, store: Store) =>
  world({ script, store, runtime: { tools: agentControlTools() } }).runtime

/** A tree that died when one of its calls had begun to wait, with so many milliseconds of its time left. */
async function dead(script: ModelScript, left: number) {
  const whole = memoryStore()
  const handle = open(script, whole).run("lead", "go")
  const expires = Date.now() + left
  const log: StoredEvent[] = []
  for await (const event of handle) {
    if (!("seq" in event)) continue
    const { asks, waits } = event as Partial<ToolStart>
    log.push({
      ...event,
      ...(asks && { asks: { ...asks, expires } }),
      ...(waits && { waits: { ...waits, expires } }),
    })
    if (asks ?? waits) break
  }
  await handle.cancel()
  return { store: await storeWith(log, whole), expires, id: handle.id, run: log.at(-1)!.run }
}

/** When each start of a call that waits says that its time is over. */
async function expiries(store: Store, run: string): Promise<readonly (number | undefined)[]> {
  const times: (number | undefined)[] = []
  for await (const event of store.read(run)) {
    const { asks, waits } = event as Partial<ToolStart>
    const timed = asks ?? waits
    if (timed) times.push(timed.expires)
  }
  return times
}

describe("what waits until some time waits no longer after a death", () => {
  test.each<[string, ModelScript, number, readonly unknown[]]>([
    [
      "a question",
      asking({ default: "Tabs." }),
      500,
      [naming("No answer came in time", "default answer applies: Tabs.")],
    ],
    ["a question whose time is over", asking({}), -1_000, [expect.stringMatching(/^No answer came in time/)]],
    [
      "a wait",
      waiting,
      500,
      [expect.stringMatching(/in the background/), expect.stringMatching(/\(slow\)(?!.*slow done)/s)],
    ],
  ])("%s", async (_, script, left, said) => {
    const { store, expires, id, run } = await dead(script, left)
    await open(script, store).resume(id).done
    expect({ times: await expiries(store, run), said: await results(store, run) }).toEqual({
      times: [expires, expires],
      said,
    })
  })

  test("and nobody is asked what has no time left", async () => {
    const { store, id } = await dead(asking({}), -1_000)
    await open(asking({}), store).resume(id).done
    const events: string[] = []
    for await (const { type } of store.read(id)) events.push(type)
    expect(events).not.toContain("child-ask")
    expect(await results(store, id)).toEqual(["asker done"])
  })
})
