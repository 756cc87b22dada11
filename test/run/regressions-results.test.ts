import { describe, expect, test } from "vitest"
import { defineTool, type Tool } from "../../src/agent/tool.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { results, sleep, tool, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })

/** Runs one call of one tool, and tells how the run stands and what the model was told. */
async function callOnce(called: Tool) {
  const { runtime, store } = world({
    script: { a: [use(called.name), { text: "done" }], b: [{ text: "b done" }] },
    tools: [called],
  })
  const handle = runtime.run("a", "go")
  const { outcome, proof } = await handle.done
  expect((await runtime.read(handle.id)).status).toBe("ended")
  return { outcome, proof, text: (await results(store, handle.id))[0]! }
}

describe("what is no proper answer of a tool is told to the model, and the run goes on", () => {
  test.each([
    ["evidence of files that is no list", { files: { path: "x", hash: "y" } }],
    ["a file that is no object", { files: [7] }],
    ["a command without an exit code", { commands: [{ command: "npm test" }] }],
    ["evidence that is no object", "files"],
    ["evidence that is null", null],
  ])("%s", async (_, evidence) => {
    const { outcome, text } = await callOnce(tool("work", () => ({ text: "ok", evidence })))
    expect(outcome).toEqual({ type: "completed" })
    expect(text).toMatch(/returned evidence in an invalid shape/)
  })

  test.each([
    ["an object that cannot become text", Object.create(null)],
    ["an error whose message is no text", Object.assign(new Error(), { message: { code: 1 } })],
  ])("%s, thrown", async (_, thrown) => {
    const { outcome, text } = await callOnce(
      tool("work", () => {
        throw thrown
      }),
    )
    expect(outcome).toEqual({ type: "completed" })
    expect(text).toBeTypeOf("string")
  })

  test.each([undefined, {}, { agent: "b" }, { agent: "b", task: " " }, { agent: 7, task: "x" }])(
    "a delegation of %j",
    async (delegation) => {
      const input = { type: "object" }
      const { outcome, text } = await callOnce(
        defineTool({ name: "hand", description: "", input, delegate: () => delegation as never }),
      )
      expect(outcome).toEqual({ type: "completed" })
      expect(text).toMatch(/hand.*named.*started/)
    },
  )
})

test("a delegation may be promised", async () => {
  const { text } = await callOnce(
    defineTool({
      name: "hand",
      description: "",
      input: { type: "object" },
      delegate: (async () => ({ agent: "b", task: "x" })) as never,
    }),
  )
  expect(text).toBe("b done")
})

test("more evidence than anybody would read is cut", async () => {
  const files = Array.from({ length: 200_000 }, (_, n) => ({ path: `${n}`, hash: "x" }))
  const { proof, text } = await callOnce(tool("work", () => ({ text: "ok", evidence: { files } })))
  expect(text).toBe("ok")
  expect(proof.evidence.files).toEqual(files.slice(0, 10_000))
})

test("a read that was abandoned leaves nothing uncertain", async () => {
  const { outcome } = await callOnce(tool("deaf", () => sleep(5_000), { effect: "read", timeout: 20 }))
  expect(outcome).toEqual({ type: "completed" })
})

test("submit_result checks nothing: right after a call of unknown outcome the run is uncertain", async () => {
  const store = memoryStore()
  const parts = {
    agents: [{ name: "a", instructions: "x", result: { type: "object", properties: {} } }],
    script: { a: [use("bash"), use("submit_result")] },
    tools: [tool("bash", () => "ran", { effect: "opaque" })],
  }
  const handle = world({ ...parts, store: faultyStore(store, { dieAfter: 3 }) }).runtime.run("a", "go")
  await expect(handle.done).rejects.toThrow()
  const result = await world({ ...parts, store }).runtime.resume(handle.id, { force: true }).done
  expect(result.outcome).toEqual({
    type: "uncertain",
    reason: expect.stringMatching(/outcome.*bash \(c1\)/),
  })
})

test("two tools that name the same resource run one after the other", async () => {
  let now = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++now)
    await sleep(20)
    now--
    return "ok"
  }
  const { runtime } = world({
    script: { a: [{ calls: [{ tool: "edit" }, { tool: "write" }] }, { text: "done" }] },
    tools: ["edit", "write"].map((name) => tool(name, work, { resource: () => "file" })),
  })
  const { proof } = await runtime.run("a", "go").done
  expect(proof.evidence.calls).toEqual({ edit: 1, write: 1 })
  expect(most).toBe(1)
})

test("a child's huge report reaches its parent cut", async () => {
  const { runtime, store } = world({
    script: {
      a: [use("Agent", { agent: "b", prompt: "x" }), { text: "done" }],
      b: [{ text: "y".repeat(1_000_000) }],
    },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  const [text] = await results(store, handle.id)
  expect(Buffer.byteLength(text!)).toBeLessThan(51_000)
  expect(text).toMatch(/^yyy.*left out.*yyy\nThis.*report.*whole.*1000000 characters/s)
})
