import { expect, test } from "vitest"
import { defineTool } from "../../src/agent/tool.ts"
import { expectSound, results, sleep, tool, untilAborted, world } from "../kit.ts"

const strict = defineTool<{ path: string; count?: number }>({
  name: "Read",
  description: "Read a file.",
  effect: "read",
  input: {
    type: "object",
    properties: { path: { type: "string" }, count: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
  execute: ({ path }) => `content of ${path}`,
})

/** Runs one turn with one call and gives its result as the model sees it. */
async function resultOf(
  call: { tool: string; input?: unknown; arguments?: string },
  tools = [strict],
): Promise<string> {
  const { runtime, store } = world({ script: { a: [{ calls: [call] }, { text: "done" }] }, tools })
  const handle = runtime.run("a", "go")
  expect((await handle.done).output).toBe("done")
  await expectSound(store, handle.id)
  return (await results(store, handle.id))[0]!
}

test.each([
  ['{"path": "a', /not valid JSON.*Send one complete JSON object/s],
  ["", /not valid JSON/],
  ["null", /must be one JSON object/],
  ["[]", /must be one JSON object.*a list/],
  ['"str"', /must be one JSON object/],
  ["{}{}", /not valid JSON/],
  ['{"path":"a"} trailing', /not valid JSON/],
  ["{'path':'a'}", /not valid JSON/],
  ['{"path": NaN}', /not valid JSON/],
  ["{}", /not valid.*path/],
  ['{"path": 7}', /not valid.*path.*string/i],
  ['{"path": "a", "other": 1}', /not valid.*other/],
  ['{"path": "a", "count": 1.5}', /not valid.*count/],
])("41, 42, 43: arguments %s are refused with a reason and never run", async (text, expected) => {
  expect(await resultOf({ tool: "Read", arguments: text })).toMatch(expected)
})

test("44: an unknown or garbled tool name lists the tools, and its siblings run", async () => {
  const { runtime, store } = world({
    script: {
      a: [
        {
          calls: [
            { tool: "Raed", input: { path: "x" } },
            { tool: "Read<|tool_call_argument_begin|>" },
            { tool: "Read", input: { path: "x" } },
          ],
        },
        { text: "done" },
      ],
    },
    tools: [strict],
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect(await results(store, handle.id)).toEqual([
    'There is no tool named "Raed" here, so nothing was run. Did you mean "Read"? Known: Read.',
    'There is no tool named "Read<|tool_call_argument_begin|>" here, so nothing was run. Known: Read.',
    "content of x",
  ])
})

test("45: a registered tool that is not granted does not run by any way", async () => {
  let ran = 0
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "secret" }] }, { text: "done" }] },
    agents: [{ name: "a", instructions: "x", tools: ["Read"] }],
    tools: [strict, tool("secret", () => `${ran++}`)],
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect(ran).toBe(0)
  expect(await results(store, handle.id)).toEqual([
    expect.stringMatching(/^Not permitted: secret.*among.*the tools of agent "a"/),
  ])
})

test("46: repeated, empty and huge provider ids still pair one to one", async () => {
  const ids = ["same", "same", "", "x".repeat(10_000)]
  const { runtime, store } = world({
    script: {
      a: [
        { calls: ids.map((id, index) => ({ id, tool: "Read", input: { path: `${index}` } })) },
        { calls: [{ id: "same", tool: "Read", input: { path: "again" } }] },
        { text: "done" },
      ],
    },
    tools: [strict],
  })
  const handle = runtime.run("a", "go")
  await handle.done
  await expectSound(store, handle.id)
  expect(await results(store, handle.id)).toEqual([0, 1, 2, 3, "again"].map((name) => `content of ${name}`))
})

test("a throwing tool, one that throws nothing, and one that returns no text are results", async () => {
  const tools = [
    tool("throws", () => {
      throw new Error("no such file: x")
    }),
    tool("rejects", () => Promise.reject(undefined)),
    tool("nothing", () => undefined),
    tool("number", () => ({ text: 7 })),
  ]
  expect(await Promise.all(tools.map(({ name }) => resultOf({ tool: name }, tools as never)))).toEqual([
    "no such file: x",
    "undefined",
    expect.stringMatching(/nothing.*returned/),
    expect.stringMatching(/number.*returned/),
  ])
})

test("10: a hanging tool that heeds its signal is stopped at its timeout; one that does not is abandoned as unknown", async () => {
  const tools = [
    tool("heeds", (_, { signal }) => untilAborted(signal), { timeout: 30 }),
    tool("deaf", () => sleep(5_000), { timeout: 30 }),
  ]
  expect(await resultOf({ tool: "heeds" }, tools as never)).toBe("Stopped: it took longer than 30 ms.")
  expect(await resultOf({ tool: "deaf" }, tools as never)).toMatch(
    /outcome of this deaf call is unknown: it took longer than 30 ms/,
  )
})

test("82: a huge or ill-formed output reaches the model bounded and as valid text, and is kept whole", async () => {
  const raw = `${"é".repeat(200_000)}\ud800\u0000end`
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "big" }] }, { text: "done" }] },
    tools: [tool("big", () => raw)],
  })
  const handle = runtime.run("a", "go", { limits: { maxResultBytes: 1_000 } })
  await handle.done
  const [text] = await results(store, handle.id)
  expect(Buffer.byteLength(text!)).toBeLessThan(1_100)
  expect(text!.isWellFormed()).toBe(true)
  expect(text).toMatch(/left.*runtime/)
  expect(text!.endsWith("\ufffd\ufffdend")).toBe(true)
  let full: string | undefined
  for await (const event of store.read(handle.id))
    if (event.type === "tool-end") full = (event as never as { result: { full: string } }).result.full
  expect(await store.getBlob(handle.id, full!)).toBe(raw.toWellFormed())
})

test("98, 99: one failing call leaves the others' results, and results come in call order", async () => {
  const tools = [
    tool("slow", async () => {
      await sleep(40)
      return "slow"
    }),
    tool("fails", async () => {
      await sleep(20)
      throw new Error("failed")
    }),
    tool("fast", () => "fast"),
  ]
  const { runtime, store } = world({
    script: { a: [{ calls: tools.map(({ name }) => ({ tool: name })) }, { text: "done" }] },
    tools,
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect(await results(store, handle.id)).toEqual(["slow", "failed", "fast"])
})

test("calls that share a resource run one after the other, also across runs; others at once", async () => {
  let now = 0
  let most = 0
  const edit = tool(
    "edit",
    async () => {
      most = Math.max(most, ++now)
      await sleep(5)
      now--
      return "ok"
    },
    { resource: ({ file }) => String(file) },
  )
  const same = Array.from({ length: 4 }, () => ({ tool: "edit", input: { file: "a" } }))
  const { runtime } = world({
    script: {
      lead: [
        { calls: [1, 2].map(() => ({ tool: "Agent", input: { agent: "a", prompt: "x" } })) },
        { text: "done" },
      ],
      a: [{ calls: same }, { text: "done" }],
    },
    tools: [edit],
  })
  await runtime.run("lead", "go").done
  expect(most).toBe(1)
  most = 0
  const different = Array.from({ length: 4 }, (_, index) => ({ tool: "edit", input: { file: `${index}` } }))
  await world({ script: { a: [{ calls: different }, { text: "done" }] }, tools: [edit] }).runtime.run(
    "a",
    "go",
  ).done
  expect(most).toBe(4)
})

test("a resource that throws is a result", async () => {
  const broken = tool("broken", () => "ok", {
    resource: () => {
      throw new Error("no key")
    },
  })
  expect(await resultOf({ tool: "broken" }, [broken as never])).toBe("no key")
})

test("zod input: a transform reaches the tool, and its JSON Schema the model", async () => {
  const { z } = await import("zod")
  const seen: unknown[] = []
  const typed = defineTool({
    name: "typed",
    description: "typed",
    effect: "read",
    input: z.object({ n: z.number().default(3), when: z.string().min(1) }),
    execute: (input) => {
      seen.push(input)
      return "ok"
    },
  })
  expect(await resultOf({ tool: "typed", input: { when: "now" } }, [typed as never])).toBe("ok")
  expect(seen).toEqual([{ n: 3, when: "now" }])
  expect(await resultOf({ tool: "typed", input: { when: "" } }, [typed as never])).toMatch(/when/)
  expect(typed.input).toMatchObject({ type: "object", required: ["when"] })
})

test.each([
  [{ name: "has space" }, /1 to 64 letters/],
  [{ name: "2fa" }, /begin with a letter or "_"/],
  [{ name: "-x" }, /begin with a letter or "_"/],
  [{ input: { type: "string" } }, /type "object"/],
  [{ effect: "sometimes" }, /effect must be/],
])("defineTool refuses %j", (wrong, expected) => {
  const right = {
    name: "t",
    description: "",
    effect: "read" as const,
    input: { type: "object" },
    execute: () => "",
  }
  expect(() => defineTool({ ...right, ...wrong } as typeof right)).toThrow(expected)
})
