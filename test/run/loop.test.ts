import { describe, expect, test } from "vitest"
import { countRepeats } from "../../src/run/state/repeats.ts"
import { results, tool, world } from "../kit.ts"

const turns = (...calls: { tool: string; arguments: string }[][]) => calls.map((list) => ({ calls: list }))
const a = (text = '{"x":1,"y":2}') => ({ tool: "a", arguments: text })
const b = (text = '{"z":1}') => ({ tool: "b", arguments: text })
const ten = <Turn>(...pattern: Turn[]): Turn[] => Array.from({ length: 10 }, () => pattern).flat()

async function outcome(script: object[], more = {}) {
  let ran = 0
  const { runtime, store } = world({
    script: { agent: script },
    tools: [tool("a", () => `${ran++}`, more), tool("b", () => `${ran++}`)],
  })
  const handle = runtime.run("agent", "go")
  const result = await handle.done
  return { outcome: result.outcome!, ran, texts: await results(store, handle.id) }
}

test("54: the same call again and again is warned at three and ended at five", async () => {
  const { outcome: end, ran, texts } = await outcome(turns(...ten([a()])))
  expect(end).toEqual({ type: "loop", reason: "the same turn came 5 times in a row" })
  expect(ran).toBe(4)
  expect(texts.map((text) => /exactly these calls (\d) times/.exec(text)?.[1])).toEqual([
    undefined,
    undefined,
    "3",
    "4",
    "5",
  ])
})

describe("55, 56: what counts as the same", () => {
  test.each([
    ["keys in another order", ten([a('{"x":1,"y":2}')], [a('{"y":2,"x":1}')]), "loop"],
    ["parallel calls in another order", ten([a(), b()], [b(), a()]), "loop"],
    ["A-B-A-B", ten([a()], [b()]), "loop"],
    ["A-B-C-A-B-C", ten([a()], [b()], [a('{"q":1}')]), "loop"],
    ["the same invalid JSON", ten([a("{oops")]), "loop"],
    ["an unknown tool", ten([{ tool: "nope", arguments: "{}" }]), "loop"],
    ["other arguments each time", Array.from({ length: 12 }, (_, n) => [a(`{"x":${n}}`)]), "failed"],
  ])("%s: %s", async (_, calls, type) => {
    expect((await outcome(turns(...(calls as { tool: string; arguments: string }[][])))).outcome.type).toBe(
      type,
    )
  })
})

test("57: a tool that declares itself a poller may be called again and again", async () => {
  const { outcome: end, ran } = await outcome([...turns(...ten([a()])), { text: "ready" }], { poller: true })
  expect(end).toEqual({ type: "completed" })
  expect(ran).toBe(10)
})

test.each([
  ["a", 1, 1],
  ["aa", 1, 2],
  ["baaa", 1, 3],
  ["abab", 2, 2],
  ["xababab", 2, 3],
  ["abcabc", 3, 2],
  ["abcd", 1, 1],
])("the turns %s repeat with period %i, %i times", (text, period, count) => {
  const { period: found, count: times } = countRepeats([...text.slice(0, -1)], text.at(-1)!, 1)
  expect({ period: found, count: times }).toEqual({ period, count })
})
