import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { faultyStore, type ModelServer, startModelServer } from "../../src/faces/testing/index.ts"
import { codingAgent } from "../../src/files.ts"
import {
  type Agent,
  createRuntime,
  defineAgent,
  type ModelInput,
  memoryStore,
  type RunResult,
  type Runtime,
  scriptedModel,
  standaloneAgentTool,
} from "../../src/index.ts"
import type { Store } from "../../src/store.ts"
import { temporaryFolder } from "../file-kit.ts"
import { naming } from "../naming.ts"

type Given = ModelInput | undefined

const apiKey = "sk-given-0123456789abcdef"
const script = { worker: [{ text: "done" }], "coding-agent": [{ text: "done" }] }
const object = scriptedModel(script, "object-1")
const models = { first: scriptedModel(script, "first-1"), second: scriptedModel(script, "second-1") }
const worker = defineAgent({ name: "worker", instructions: "Work." })

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "done" }), apiKey })
})
afterAll(() => server.close())

/** Everywhere a program can say which model its agents run on. */
const entries: Readonly<
  Record<string, (model: Given, store: Store) => { run(): Promise<RunResult>; runtime: Runtime }>
> = {
  createRuntime: (model, store) => started(createRuntime({ store, models, ...said(model) })),
  codingAgent: (model, store) => {
    const home = temporaryFolder()
    const { run, runtime } = codingAgent({
      workDir: temporaryFolder(),
      home,
      environment: { HOME: home },
      store,
      models,
      ...said(model),
    })
    return { run: () => run("Go").done, runtime }
  },
  standaloneAgentTool: (model, store) => {
    const tool = standaloneAgentTool({ registry: [worker], store, models, ...said(model) })
    const run = async () => {
      const { result, text } = await tool.report({ agent: "worker", prompt: "Go" })
      if (!result) throw new Error(text)
      return result
    }
    return { run, runtime: tool.runtime }
  },
  "runtime.run": (model, store) => {
    const runtime = createRuntime({ store, models })
    return { run: () => runtime.run(worker, "Go", said(model)).done, runtime }
  },
}

const said = (model: Given): { model?: NonNullable<Given> | null } => (model === undefined ? {} : { model })
const started = (runtime: Runtime, agent: Agent = worker) => ({
  run: () => runtime.run(agent, "Go").done,
  runtime,
})

describe.each(Object.entries(entries))("a model given to %s", (_, open) => {
  test.each<[string, () => Given, string]>([
    ["omitted", () => undefined, "first-1"],
    ["null", () => null, "first-1"],
    ["inherit", () => "inherit", "first-1"],
    ["a name", () => "second", "second-1"],
    ["a model object", () => object, "object-1"],
    [
      "settings with a key",
      () => ({ provider: "openai", model: "gpt-x", baseUrl: server.url, apiKey }),
      "openai/gpt-x",
    ],
  ])("as %s is what runs", async (_kind, given, resolved) => {
    const store = memoryStore()
    const { run, runtime } = open(given(), store)
    const result = await run()
    expect([result.outcome, result.proof.model.resolved]).toEqual([{ type: "completed" }, resolved])
    const log: unknown[] = []
    for await (const event of runtime.follow(result.run, AbortSignal.timeout(50))) log.push(event)
    expect(log.length).toBeGreaterThan(2)
    expect(JSON.stringify(log)).not.toContain(apiKey)
    await runtime.close()
  })

  test.each<[string, unknown, string]>([
    ["a number", 7, expect.stringMatching(/7.*object.*settings/)],
    ["a list", ["first"], 'is ["first"]. Give a name'],
    ["an address in the wrong place", { model: "m", endpoint: "http://x" }, "The address is `baseUrl` here."],
    ["settings without a model", { provider: "openai" }, "has settings without `model`"],
  ])("as %s is refused with what to give", async (_kind, given, message) => {
    const refused = (async () => open(given as Given, memoryStore()).run())()
    await expect(refused).rejects.toThrow(expect.objectContaining({ message: naming(message) }))
  })
})

test("a run on a model object goes on where it is given again, and nowhere else", async () => {
  const store = memoryStore()
  const dying = createRuntime({ store: faultyStore(store, { dieAfter: 1 }), model: object })
  const { id, done } = dying.run(worker, "Go")
  await expect(done).rejects.toThrow(/has stopped|died/)
  const other = createRuntime({ store, models })
  await expect(other.resume(id, { force: true }).done).rejects.toThrow('no model named "object-1"')
  const same = createRuntime({ store, model: scriptedModel(script, "object-1") })
  const { outcome, proof } = await same.resume(id, { force: true }).done
  expect([outcome, proof.model.resolved]).toEqual([{ type: "completed" }, "object-1"])
})

test("an explanation takes a model object, too", async () => {
  const runtime = createRuntime({ store: memoryStore(), models })
  const explained = await Promise.all(
    [object, null, "second"].map(async (model) => (await runtime.explain(worker, { model })).model.uses),
  )
  expect(explained).toEqual([[{ name: "object-1" }], [{ name: "first" }], [{ name: "second" }]])
})

test.each<[unknown, RegExp]>([
  [7, /object.*null.*7/],
  [object, /"model.stream" is unknown.*createRuntime\(\{ models: \{ NAME: … \} \}\)/],
])("an agent is plain data and refuses %s", (model, message) => {
  expect(() => defineAgent({ name: "a", instructions: "b", model: model as string })).toThrow(message)
})
