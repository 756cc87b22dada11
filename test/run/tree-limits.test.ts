import { expect, test } from "vitest"
import { expectSound, results, sleep, stateOf, tool, untilAborted, world } from "../kit.ts"
import { naming } from "../naming.ts"

const call = (agent: string, prompt = "x", more = {}) => ({
  tool: "Agent",
  input: { agent, prompt, ...more },
})
const times = <Value>(count: number, make: (index: number) => Value): readonly Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

test("R5, 1.5, 1.19: a tree of five children a run that wants 5^6 of them stops at its limit, with every finished result kept", async () => {
  const { runtime, store } = world({
    script: { node: [{ calls: times(5, () => call("node")) }, { text: "node done" }] },
    agents: [{ name: "node", instructions: "x", recursive: true }],
  })
  const { run: root, outcome } = await runtime.run("node", "go", { limits: { maxDepth: 6, maxSpawns: 150 } })
    .done
  expect(outcome).toEqual({ type: "completed" })
  const refused = naming(`${root}`, "consume", "150 spawns", "151)", "'node'")
  const runs: string[] = []
  for await (const head of store.list({ root })) runs.push(head.run)
  const counts = new Map<string, number>()
  for (const run of runs) {
    expect((await stateOf(store, run)).end).toMatchObject({
      outcome: { type: "completed" },
      output: "node done",
    })
    for (const text of await results(store, run)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  expect({ runs: runs.length, results: [...counts].sort(([, a], [, b]) => a - b) }).toEqual({
    runs: 151,
    results: [
      ["node done", 150],
      [refused, 151 * 5 - 150],
    ],
  })
  await expectSound(store, root)
})

test.each([1, 2, 3, 5])(
  "R5, 1.5, 1.19: a depth of %i means exactly so many levels below the root, whoever says so",
  async (maxDepth) => {
    const parts = {
      script: { node: [{ calls: [call("node")] }, { text: "up" }] },
      agents: [{ name: "node", instructions: "x", recursive: true }],
    }
    const levelsOf = async ({ runtime, store }: ReturnType<typeof world>, limits = {}) => {
      const { run: root } = await runtime.run("node", "go", { limits }).done
      const told: (readonly string[])[] = []
      for await (const { run } of store.list({ root })) told.push(await results(store, run))
      return told
    }
    const expected = [
      ...times(maxDepth, () => ["up"]),
      [
        `Maximum subagent nesting depth (${maxDepth}) reached. Cannot spawn 'node' at depth ${maxDepth}. Finish with your own tools.`,
      ],
    ]
    const agents = [{ ...parts.agents[0]!, limits: { maxDepth } }]
    expect({
      call: await levelsOf(world(parts), { maxDepth }),
      definition: await levelsOf(world({ ...parts, agents })),
      configuration: await levelsOf(world({ ...parts, runtime: { limits: { maxDepth } } })),
    }).toEqual({ call: expected, definition: expected, configuration: expected })
  },
)

test("1.7: a thousand children at once go through 64 slots, and their results come in order", async () => {
  let [atWork, most] = [0, 0]
  const { runtime, store } = world({
    script: {
      lead: [{ calls: times(1_000, (index) => call("worker", `part ${index}`)) }, { text: "done" }],
      worker: [{ text: "worked" }],
    },
    runtime: {
      layers: {
        model: [
          async (request, next) => {
            most = Math.max(most, ++atWork)
            await sleep(1)
            const reply = await next(request)
            atWork--
            const first = [...request.messages][0]!.text
            return request.agent === "worker" ? { ...reply, text: `did ${first}` } : reply
          },
        ],
      },
    },
  })
  const { run, outcome } = await runtime.run("lead", "go", {
    limits: { maxSpawns: 1_000, maxConcurrency: 64 },
  }).done
  expect({ outcome, most, results: await results(store, run) }).toEqual({
    outcome: { type: "completed" },
    most: 64,
    results: times(1_000, (index) => `did part ${index}`),
  })
})

test("1.8: of forty children that hang, fail, are denied or killed, each is told as what it was, and the others' results are whole", async () => {
  const kinds = ["hangs", "deaf", "fails", "denied", "killed", "nobody", "loops", "works"]
  const { runtime, store } = world({
    script: {
      lead: [
        {
          calls: times(40, (index) => {
            const kind = kinds[index % kinds.length]!
            return call(kind, `part ${index}`, kind === "hangs" || kind === "deaf" ? { timeout: 0.3 } : {})
          }),
        },
        { text: "lead done" },
      ],
      hangs: [{ text: "late", delayMs: 60_000 }],
      deaf: [{ calls: [{ tool: "ignore" }] }, { text: "late" }],
      fails: [{ error: { message: "500" } }],
      denied: [{ calls: [{ tool: "write" }] }, { text: "I could not." }],
      killed: [{ calls: [{ tool: "forever" }] }, { text: "late" }],
      loops: times(20, () => ({ calls: [{ tool: "look" }] })),
      works: [{ calls: [{ tool: "look" }] }, { text: "worked" }],
    },
    agents: kinds
      .filter((name) => name !== "nobody")
      .map((name) => ({ name, instructions: "x" }))
      .concat({ name: "lead", instructions: "x" }),
    tools: [
      tool("look"),
      tool("write", () => "written"),
      tool("ignore", () => new Promise(() => {})),
      tool("forever", (_, { signal }) => untilAborted(signal)),
    ],
    runtime: { rules: [{ tool: "write", decision: "deny" }] },
  })
  const handle = runtime.run("lead", "go", { limits: { maxConcurrency: 8 } })
  const killing = (async () => {
    for await (const event of handle)
      if (event.type === "run-start" && event.agent === "killed")
        void runtime.cancel(event.run, "a person stopped it")
  })()
  const { outcome } = await handle.done
  await killing
  const told: Record<string, string> = {
    hangs: "The subagent did not complete: timed out.\n(no output)",
    deaf: "The subagent did not complete: timed out.\n(no output)",
    fails: "The subagent did not complete: failed: 500.\n(no output)",
    denied: expect.stringMatching(/^The subagent did not complete: denied: .*\nI could not\.$/) as never,
    killed: "The subagent did not complete: cancelled: a person stopped it.\n(no output)",
    nobody: expect.stringMatching(/^There is no agent named "nobody"\. /) as never,
    loops: expect.stringMatching(/^The subagent did not complete: loop/) as never,
    works: "worked",
  }
  expect({ outcome, results: await results(store, handle.id) }).toEqual({
    outcome: { type: "completed" },
    results: times(40, (index) => told[kinds[index % kinds.length]!]),
  })
  // The deaf are left behind, and hold no slot while they are: nobody else would ever have had one.
  await expectSound(store, handle.id)
})
