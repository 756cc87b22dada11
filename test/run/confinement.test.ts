import { expect, test } from "vitest"
import { type CommandConfinement, findStrictest } from "../../src/agent/confinement.ts"
import { defineTool } from "../../src/agent/tool.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf, world } from "../kit.ts"

const required: CommandConfinement = { sandbox: "required", network: "none" }
const preferred: CommandConfinement = { sandbox: "preferred", network: "none" }
const off: CommandConfinement = { sandbox: "off", network: "full" }

test.each<[string, (CommandConfinement | undefined)[], CommandConfinement | undefined]>([
  ["nobody says anything", [undefined, undefined], undefined],
  ["one does", [undefined, off], off],
  ["the strictest of each", [off, preferred, { sandbox: "off", network: "none" }], preferred],
  [
    "whoever says it",
    [{ sandbox: "required", network: "full" }, off],
    { sandbox: "required", network: "full" },
  ],
  ["a word that nobody knows", [off, { sandbox: "[redacted]", network: "?" } as never], required],
])("strictest: %s", (_, said, expected) => {
  expect(findStrictest(...said)).toEqual(expected)
})

/** A runtime with a tool that tells how strictly it is to keep its commands apart. */
function confined(store: Store, confinement: CommandConfinement | undefined) {
  const told: string[] = []
  const tools = ["look", "work"].map((name) =>
    defineTool({
      name,
      description: name,
      input: { type: "object" },
      effect: "read",
      ...(confinement && { confinement }),
      execute: (_, context) => {
        told.push(`${context.agent} ${name} ${JSON.stringify(context.confinement)}`)
        return "ok"
      },
    }),
  )
  const use = (tool: string) => ({ calls: [{ tool }] })
  const { runtime } = world({
    store,
    tools,
    script: {
      a: [
        use("look"),
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "go" } }] },
        { error: { message: "500" } },
      ],
      b: [use("work"), { text: "done" }],
      c: [use("work"), { text: "done" }],
    },
    agents: ["a", "b", "c"].map((name) => ({
      name,
      instructions: name,
      ...(name === "a" && { fallback: ["c"] }),
    })),
    runtime: { rules: [{ tool: "look", decision: "ask" }] },
  })
  return { runtime, told }
}

test.each<
  [string, CommandConfinement | undefined, CommandConfinement | undefined, CommandConfinement | undefined]
>([
  ["a weaker one", required, off, required],
  ["a stricter one", off, required, required],
  ["the same", preferred, preferred, preferred],
  ["none that it knows of", required, undefined, required],
  ["one, where none was recorded", undefined, required, required],
])(
  "a run that is resumed with %s has the strictest, and so have its children and whoever gets its task",
  async (_, before, after, expected) => {
    const store = memoryStore()
    const first = confined(store, before).runtime
    const handle = first.run("a", "go")
    await handle.done
    expect((await stateOf(store, handle.id)).start?.confinement).toEqual(before)
    await first.approve(handle.id, "c1", "allow")
    const { runtime, told } = confined(store, after)
    const result = await runtime.resume(handle.id).done
    expect([result.agent, result.outcome]).toEqual(["c", { type: "completed" }])
    const text = JSON.stringify(expected)
    expect(told).toEqual([`a look ${text}`, `b work ${text}`, `c work ${text}`])
    for (const id of [handle.id, `${handle.id}.1`, result.run])
      expect((await stateOf(store, id)).confinement).toEqual(expected)
  },
)
