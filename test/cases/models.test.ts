import { afterEach, describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { type ScriptedAnswer, startModelServer } from "../../src/faces/testing/model-server.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { expectSound, results, tool } from "../kit.ts"
import { client, closeServers, modelOf, plain, protocols, served, worldOn } from "./support.ts"

afterEach(closeServers)

describe("the model of a run is the call's, else the definition's, else its parent's, else the default", () => {
  const names = ["default", "parent", "definition", "call"]
  const asked: string[] = []
  const models = Object.fromEntries(
    names.map((name): [string, Model] => [
      name,
      modelOf(
        ({ agent, turn }) => {
          asked.push(`${agent} ${name}`)
          return agent === "lead" && turn === 1
            ? { calls: [{ wire: "w", tool: "Hand", arguments: "{}" }] }
            : { text: "done", model: name }
        },
        { id: name },
      ),
    ]),
  )

  /** Which model each run of a tree asked, and what the child's proof says. */
  async function used(parts: {
    lead?: Partial<AgentInput>
    child?: Partial<AgentInput>
    call?: string
    run?: string
  }) {
    asked.length = 0
    const hand = defineTool({
      name: "Hand",
      description: "Hands on.",
      input: { type: "object" },
      delegate: () => ({ agent: "child", task: "x", ...(parts.call !== undefined && { model: parts.call }) }),
    })
    const { runtime } = worldOn(models, {
      agents: [plain("lead", parts.lead), plain("child", parts.child)],
      tools: [hand],
    })
    const handle = runtime.run("lead", "go", parts.run === undefined ? {} : { model: parts.run })
    await handle.done
    const { requested, resolved, reported } = (await runtime.read(`${handle.id}.1`)).proof.model
    return { asked: [...new Set(asked)], proof: { requested, resolved, reported } }
  }
  const proofOf = (requested: string | null, resolved: string) => ({
    requested,
    resolved,
    reported: [resolved],
  })

  test.each<[string, Parameters<typeof used>[0], string, ReturnType<typeof proofOf>]>([
    ["nobody says anything: the default", {}, "default", proofOf(null, "default")],
    ["the root's call says it: the child has its parent's", { run: "call" }, "call", proofOf(null, "call")],
    ["the parent's definition says it", { lead: { model: "parent" } }, "parent", proofOf(null, "parent")],
    [
      "the root's call beats its definition",
      { lead: { model: "parent" }, run: "call" },
      "call",
      proofOf(null, "call"),
    ],
    [
      "inherit is the parent's",
      { lead: { model: "parent" }, child: { model: "inherit" } },
      "parent",
      proofOf("inherit", "parent"),
    ],
  ])("R4, 1.4: %s", async (_, parts, model, proof) => {
    expect(await used(parts)).toEqual({ asked: [`lead ${model}`, `child ${model}`], proof })
  })

  test.each<[string, Parameters<typeof used>[0], string, ReturnType<typeof proofOf>]>([
    [
      "the child's definition beats its parent",
      { lead: { model: "parent" }, child: { model: "definition" } },
      "definition",
      proofOf("definition", "definition"),
    ],
    [
      "the call that starts the child beats its definition",
      { lead: { model: "parent" }, child: { model: "definition" }, call: "call" },
      "call",
      proofOf("call", "call"),
    ],
    [
      "inherit in the call is the parent's, whatever the definition says",
      { lead: { model: "parent" }, child: { model: "definition" }, call: "inherit" },
      "parent",
      proofOf("inherit", "parent"),
    ],
  ])("R4, 1.4: %s", async (_, parts, model, proof) => {
    expect(await used(parts)).toEqual({ asked: ["lead parent", `child ${model}`], proof })
  })

  test("R4, 1.4: a name nobody knows, in a call, is told to the parent with the names there are", async () => {
    const { runtime, store } = worldOn(
      { script: scriptedModel({ lead: [{ calls: [{ tool: "Hand" }] }, { text: "done" }] }) },
      {
        agents: [plain("lead"), plain("child")],
        tools: [
          defineTool({
            name: "Hand",
            description: "Hands on.",
            input: { type: "object" },
            delegate: () => ({ agent: "child", task: "x", model: "gtp-5" }),
          }),
        ],
      },
    )
    const handle = runtime.run("lead", "go")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect((await results(store, handle.id))[0]).toMatch(/no model "gtp-5".*Known: .*script/)
  })
})

describe("a run whose provider changes in its middle sends nothing a strict provider refuses", () => {
  const turn = (n: number): ScriptedAnswer => ({
    text: `turn ${n}`,
    reasoning: "hm",
    calls: [
      { tool: "work", arguments: { n }, id: "same" },
      { tool: "work", arguments: { n, again: true } },
      { tool: "Read<|x|>", arguments: '{"cut' },
    ],
  })

  test("106: from one protocol to the other and back, in every turn", async () => {
    const server = await startModelServer({
      script: ({ number }) => (number <= 6 ? turn(number) : { text: "done" }),
    })
    const clients = protocols.map((protocol) => client(protocol, server))
    const model: Model = {
      id: "changing",
      stream: (request, onDelta) => clients[request.turn % 2]!.stream(request, onDelta),
    }
    const { runtime, store } = worldOn({ model }, { tools: [tool("work")] })
    const handle = runtime.run("a", "go")
    const { outcome, proof } = await handle.done
    expect(outcome).toEqual({ type: "completed" })
    expect(proof.evidence.calls).toEqual({ work: 12 })
    expect(server.requests.map(({ protocol, problem }) => [protocol, problem])).toEqual(
      Array.from({ length: 7 }, (_, index) => [index % 2 ? "openai" : "anthropic", undefined]),
    )
    await expectSound(store, handle.id)
    await server.close()
  })

  test("106: from a stream to one JSON object and back, in every turn", async () => {
    const server = await startModelServer({
      script: ({ number }) => (number <= 4 ? turn(number) : { text: "done" }),
    })
    for (const protocol of protocols) {
      const clients = (["sse", "json"] as const).map((stream) => client(protocol, server, { stream }))
      const model: Model = {
        id: "changing",
        stream: (request, onDelta) => clients[request.turn % 2]!.stream(request, onDelta),
      }
      const { runtime } = worldOn({ model }, { tools: [tool("work")] })
      expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
    }
    expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
    await server.close()
  })

  test("106: when it says in mid-run that it is another model, both are told", async () => {
    const { runtime } = worldOn(
      {
        m: modelOf(({ turn }) =>
          turn === 1
            ? { calls: [{ wire: "w", tool: "work", arguments: "{}" }], model: "big-1" }
            : { text: "done", model: "small-2" },
        ),
      },
      { tools: [tool("work")] },
    )
    expect((await runtime.run("a", "go").done).proof.model.reported).toEqual(["big-1", "small-2"])
  })

  test.each([
    ["openai", { parallel_tool_calls: false }],
    ["anthropic", { tool_choice: { type: "auto", disable_parallel_tool_use: true } }],
  ] as const)(
    "106: parallel calls switched off at %s, which sends several all the same",
    async (protocol, parameters) => {
      const { runtime, store, server, problems } = await served(
        protocol,
        [turn(1), turn(2), { text: "closing" }],
        {
          tools: [tool("work")],
          client: { parameters },
        },
      )
      const handle = runtime.run("a", "go", { limits: { maxTurns: 3 } })
      expect((await handle.done).outcome).toEqual({ type: "limit", limit: "turns" })
      const [name] = Object.keys(parameters)
      expect(server.requests.map(({ body }) => JSON.stringify(body[name!] ?? null))).toEqual([
        JSON.stringify(Object.values(parameters)[0]),
        JSON.stringify(Object.values(parameters)[0]),
        protocol === "openai" ? "null" : '{"type":"none"}',
      ])
      expect(problems()).toEqual([])
      await expectSound(store, handle.id)
    },
  )
})
