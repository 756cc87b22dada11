import { describe, expect, test } from "vitest"
import { stateOf } from "../../../test/kit.ts"
import { defineAgent } from "../../agent/agent.ts"
import { defineTool } from "../../agent/tool.ts"
import { createRuntime, type RuntimeOptions } from "../../assembly/create-runtime.ts"
import type { Store } from "../../run/log/store.ts"
import { type ScriptedTurn, scriptedModel } from "../models/scripted.ts"
import { memoryStore } from "../stores/memory.ts"
import { searchTool } from "./search-tool.ts"

/** A tool as a server would list it. */
const listedTool = (name: string, description = "Does it.") =>
  defineTool({
    name: `mcp__srv__${name}`,
    listed: name,
    description,
    effect: "read",
    input: { type: "object" },
    execute: () => `${name} done`,
  })
const many = [
  ...Array.from({ length: 99 }, (_, index) => listedTool(`tool_${index}`)),
  listedTool("send_mail", "Sends a letter."),
  listedTool("read_mail", "Reads the mail that has come."),
]

interface Given {
  readonly tools?: RuntimeOptions["tools"]
  readonly allow?: readonly string[]
  readonly turns?: readonly ScriptedTurn[]
  readonly store?: Store
  readonly more?: Partial<RuntimeOptions>
}

function open({ tools = many, allow = ["mcp__srv__*"], turns = [{ text: "done" }], store, more }: Given) {
  const offers: (readonly string[])[] = []
  const ownStore = store ?? memoryStore()
  const runtime = createRuntime({
    store: ownStore,
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: allow })],
    models: { script: scriptedModel({ worker: turns }) },
    tools: [...tools, searchTool],
    layers: {
      model: [
        (request, next) => {
          offers.push(request.tools.map(({ name }) => name.replace("mcp__srv__", "")))
          return next(request)
        },
      ],
    },
    ...more,
  })
  return { runtime, offers, store: ownStore }
}

async function offersOf(given: Given) {
  const { runtime, offers, store } = open(given)
  const handle = runtime.run("worker", "Do it.")
  await handle.done
  const state = await stateOf(store, handle.id)
  await runtime.close()
  return {
    offers,
    state,
    results: [...state.messages].flatMap((message) => (message.role === "tool" ? [message.text] : [])),
  }
}

const search = (query: string) => ({ calls: [{ tool: "ToolSearch", input: { query } }] })

describe("a long list of tools", () => {
  test.each<[string, Given, number, boolean]>([
    ["is offered whole where it is short enough", { tools: many.slice(0, 100) }, 100, false],
    ["is searched where it is longer", {}, 1, true],
    [
      "is searched beyond the limit of the user",
      { tools: many.slice(0, 3), more: { limits: { maxOfferedTools: 2 } } },
      1,
      true,
    ],
    [
      "is offered whole within the limit of the user",
      { more: { limits: { maxOfferedTools: 200 } } },
      101,
      false,
    ],
    [
      "is searched where its descriptions take a tenth of the model's window",
      {
        tools: [listedTool("long", "word ".repeat(2_000))],
        more: { models: { script: { ...scriptedModel({ worker: [{ text: "done" }] }), window: 20_000 } } },
      },
      1,
      true,
    ],
  ])("%s", async (_, given, count, isSearched) => {
    const { offers } = await offersOf(given)
    expect(offers[0]).toHaveLength(count)
    expect(offers[0]!.includes("ToolSearch")).toBe(isSearched)
  })

  test("tools that the agent lists by name are always offered", async () => {
    const { offers } = await offersOf({ allow: ["mcp__srv__*", "mcp__srv__tool_7"] })
    expect(offers[0]!.toSorted()).toEqual(["ToolSearch", "tool_7"])
  })

  test.each<[string, string, readonly string[]]>([
    ["words in a name and a description", "mail read", ["read_mail", "send_mail"]],
    ["a word of a description", "letter", ["send_mail"]],
    ["exact names", "select:mcp__srv__tool_3,mcp__srv__tool_5", ["tool_3", "tool_5"]],
  ])("what it finds is offered from the next turn on: %s", async (_, query, found) => {
    const { offers, state } = await offersOf({ turns: [search(query), { text: "done" }] })
    expect(offers).toEqual([["ToolSearch"], ["ToolSearch", ...found]])
    expect(state.loaded).toEqual(found.map((name) => `mcp__srv__${name}`))
  })

  test("a search that finds nothing says which tools there are", async () => {
    const { offers, results } = await offersOf({ turns: [search("zzz"), { text: "done" }] })
    expect(offers[1]).toEqual(["ToolSearch"])
    expect(results).toEqual([expect.stringMatching(/^No tool was found\. Known: mcp__srv__/)])
  })

  test("a resume offers what was loaded before", async () => {
    const turns = [
      search("letter"),
      { calls: [{ tool: "mcp__srv__send_mail", input: {} }] },
      { text: "done" },
    ]
    const more = { rules: [{ tool: "mcp__srv__send_mail", decision: "ask" }] } as const
    const first = open({ turns, more })
    const handle = first.runtime.run("worker", "Do it.")
    const [approval] = (await handle.done).approvals
    const second = open({ turns, more, store: first.store })
    await second.runtime.approve(handle.id, approval!.call, "allow")
    await second.runtime.resume(handle.id).done
    expect(second.offers).toEqual([["ToolSearch", "send_mail"]])
    await second.runtime.close()
  })

  test("loading changes no right: a denied tool stays denied, and is not found", async () => {
    const { offers, results } = await offersOf({
      turns: [
        search("select:mcp__srv__send_mail"),
        { calls: [{ tool: "mcp__srv__send_mail", input: {} }] },
        { text: "done" },
      ],
      more: { rules: [{ tool: "mcp__srv__send_mail", decision: "deny" }] },
    })
    expect(offers.flat()).not.toContain("send_mail")
    expect(results[1]).toMatch(/denied|may not|not allowed/i)
  })
})
