import { type Agent, type AgentInput, defineAgent } from "../../src/agent/agent.ts"
import { type DelegationTool, defineTool } from "../../src/agent/tool.ts"
import { CadreError } from "../../src/ground/errors.ts"
import type { AgentExplanation, ExplainOptions } from "../../src/run/explain/explain.ts"
import { openRuntime, type RuntimeParts } from "../../src/run/face/runtime.ts"
import type { RunStart } from "../../src/run/log/event-run.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { tool } from "../kit.ts"

type Called = Omit<ExplainOptions, "parents">
export type Case = {
  readonly agent: Partial<AgentInput>
  readonly called?: Called
  /** From the root down. */
  readonly parents?: readonly Partial<AgentInput>[]
  readonly runtime?: Partial<RuntimeParts>
}

export const absentTools = { WebSearch: "nobody is set up to search" }

/** A runtime in which each of the parents calls the next, and the last of them the agent with what the call says. */
export function worldOf({ agent, called = {}, parents = [], runtime: parts }: Case) {
  const lead = parents.map((input, index) => defined(`lead${index}`, input))
  const chain = [...lead, defined("subject", agent)]
  const names = chain.map(({ name }) => name)
  const script: ModelScript = Object.fromEntries(
    names.map((name, index) => [
      name,
      index < lead.length
        ? [{ calls: [{ tool: "Agent", input: { agent: names[index + 1] } }] }, { text: "done" }]
        : [
            { text: "done", ...(agent.result && { calls: [{ tool: "submit_result", input: {} }] }) },
            { text: "x" },
          ],
    ]),
  )
  const hand = defineTool<{ agent: string }>({
    name: "Agent",
    description: "Hand on.",
    input: { type: "object", properties: { agent: { type: "string" } }, required: ["agent"] },
    delegate: (input) => ({
      agent: input.agent,
      task: "go",
      mode: "wait",
      ...(input.agent === "subject" && {
        ...(typeof called.model === "string" && { model: called.model }),
        ...(called.limits?.timeout !== undefined && { timeout: called.limits.timeout }),
      }),
    }),
  }) as DelegationTool
  const store = memoryStore()
  const runtime = openRuntime({
    store,
    agents: { ...sourceOf(chain) },
    tools: [tool("Read"), tool("Grep"), tool("Bash"), hand],
    absentTools,
    models: createModelSource({
      models: Object.fromEntries(["one", "two", "three"].map((name) => [name, scriptedModel(script, name)])),
      presets: { fast: { model: "two" } },
      defaultModel: "one",
      environment: {},
    }),
    ...parts,
  })
  return { runtime, store, chain }
}

const defined = (name: string, input: Partial<AgentInput>): Agent =>
  defineAgent({ instructions: `You are ${name}.`, ...input, name })

/** As a registry: agents are not checked before they are started. */
const sourceOf = (agents: readonly Agent[]) => ({
  find: (name: string) => agents.find((agent) => agent.name === name),
  get: (name: string) => agents.find((agent) => agent.name === name)!,
  names: () => agents.map(({ name }) => name),
  all: () => agents,
})

/** What is said of the run, and how it really began: or why it did not. */
export async function both(
  given: Case,
): Promise<{ said: AgentExplanation; began: Began | { refused: string } }> {
  const { runtime, store, chain } = worldOf(given)
  const { called = {} } = given
  const parents = chain.slice(0, -1)
  const said = await runtime.explain("subject", { ...called, parents: parents.map(({ name }) => name) })
  const handle = runtime.run(chain[0]!.name, "go", parents.length === 0 ? called : {})
  try {
    await handle.done
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return { said, began: { refused: error.message } }
  }
  const run = `${handle.id}${".1".repeat(parents.length)}`
  for await (const stored of store.read(run)) {
    const start = stored as unknown as RunStart
    const blob = JSON.parse((await store.getBlob(run, start.definition))!)
    const withheld = blob.tools.flatMap((one: { name: string; withheld?: true }) =>
      one.withheld ? [one.name] : [],
    )
    return { said, began: { start, withheld } }
  }
  let refused = ""
  for await (const { run } of store.list({ root: handle.id }))
    for await (const event of store.read(run))
      if (event.type === "tool-end") refused = (event as unknown as { result: { text: string } }).result.text
  return { said, began: { refused } }
}

export interface Began {
  readonly start: RunStart
  readonly withheld: readonly string[]
}

/** The same of both, in one shape. */
export const told = ({ model, tools, limits, variables, depth }: AgentExplanation) => ({
  model: { requested: model.requested, source: model.source, uses: model.uses },
  tools: inStates(tools, ["offered", "withheld"]),
  withheld: inStates(tools, ["withheld"]),
  delegates: inStates(tools, ["delegated"]),
  limits: Object.fromEntries(
    limits.flatMap(({ name, value, source }) =>
      value === undefined ? [] : [[name, name === "timeout" && source === "parent" ? "rest" : value]],
    ),
  ),
  variables: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  depth,
})

export function recorded({ start, withheld }: Began, said: AgentExplanation): ReturnType<typeof told> {
  const { model, tools, delegates = [], variables, depth } = start
  const timeout = said.limits.find(({ name }) => name === "timeout")!
  const rest = timeout.source === "parent" && isRestOf(start.limits.timeout!, timeout.value!)
  return {
    model: { requested: model.requested, source: model.source, uses: model.uses },
    tools: [...tools].sort(),
    withheld: [...withheld].sort(),
    delegates: [...delegates].sort(),
    limits: { ...start.limits, ...(rest && { timeout: "rest" }) },
    variables,
    depth,
  }
}

/** The parent has been at work for a moment when it calls. */
const isRestOf = (actual: number, whole: number) => actual <= whole && actual > whole - 30_000

const inStates = (tools: AgentExplanation["tools"], states: readonly string[]) =>
  tools
    .filter(({ state }) => states.includes(state))
    .map(({ name }) => name)
    .sort()
