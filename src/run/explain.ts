import type { Agent, ModelChoice } from "../agent.ts"
import { CadreError } from "../errors.ts"
import type { Limits } from "../limits.ts"
import { limitNames } from "../limits.ts"
import type { Json } from "../message.ts"
import type { ModelUse } from "../model.ts"
import { type Beginning, limitSayings, settleLimits, settleTools } from "./begin.ts"
import { checkToolNames, pin } from "./definition.ts"
import type { Environment } from "./environment.ts"
import type { RunStart, StartModel } from "./event.ts"
import { requireExecutor } from "./executing.ts"
import { type ExplainedTool, explainTools } from "./explain-tools.ts"
import { offerOf } from "./offer.ts"
import { kindOf } from "./plan.ts"
import { type LimitRank, overlaid, type VariableRank } from "./precedence.ts"
import { rightsOf } from "./rule-sets.ts"
import { checkOverride, isNeeded, type ModelSaying, modelSayings, settleSaying } from "./settle-model.ts"
import { tooDeep } from "./spawn.ts"
import { emptyState, type RunState } from "./state.ts"
import { settleVariables, variableSayings } from "./variables.ts"

/** What a call would say. */
export interface ExplainOptions {
  readonly model?: string
  readonly tools?: readonly string[]
  readonly limits?: Limits
  readonly variables?: { readonly [name: string]: Json }
  /** The agents that it would be called by, from the root down. Left out: it is a root. */
  readonly parents?: readonly (string | Agent)[]
}

/** What a run would have. Of everything the winner, and whom it overrules, the strongest first. */
export interface Explanation {
  readonly agent: string
  readonly depth: number
  readonly model: ExplainedModel
  readonly tools: readonly ExplainedTool[]
  readonly limits: readonly ExplainedLimit[]
  readonly variables: readonly ExplainedVariable[]
  /** Why such a run would not start; what depends on its task aside. */
  readonly problems: readonly string[]
}

export interface ExplainedModel extends ModelClaim {
  readonly over: readonly ModelClaim[]
}

/** A model that somebody says. */
export interface ModelClaim {
  readonly source: StartModel["source"]
  /** As it is written; null where nobody said anything. */
  readonly requested: ModelChoice
  /** What that comes to, in the order to be tried. Absent where it comes to nothing. */
  readonly uses?: readonly ModelUse[]
  readonly warnings?: readonly string[]
  readonly problem?: string
}

export interface ExplainedLimit {
  readonly name: keyof Limits
  /** Absent where the run has none of its own. */
  readonly value?: number
  readonly source?: LimitRank
  readonly over: readonly { readonly source: LimitRank; readonly value: number }[]
  /** What everything below the root counts against together, or shares: of the nearest above that has one. */
  readonly shared?: { readonly value: number; readonly agent: string }
}

export interface ExplainedVariable {
  readonly name: string
  readonly value: Json
  readonly source: VariableRank
  readonly over: readonly { readonly source: VariableRank; readonly value: Json }[]
}

/** Settles everything as a run that begins does, by the same functions, and keeps what did not win. */
export async function explain(
  environment: Environment,
  named: string | Agent,
  { parents = [], ...said }: ExplainOptions,
  before: readonly CadreError[],
): Promise<Explanation> {
  const found = (agent: string | Agent) => (typeof agent === "string" ? environment.agents.get(agent) : agent)
  const problems = before.map(({ message }) => message)
  let above: Above = { runs: [] }
  for (const parent of parents) above = await supposed(environment, found(parent), above, problems)
  const agent = found(named)
  const beginning = beginningOf(agent, above, said)
  problems.push(
    ...handedOn(environment, agent, above),
    ...failures(() => checkToolNames(agent, environment)),
    ...failures(() => checkOverride(environment, beginning)),
    ...failures(() => settleVariables(environment, beginning)),
    ...failures(() => requireExecutor(agent, settleTools(environment, beginning))),
  )
  const limits = settleLimits(environment, beginning)
  const depth = above.runs.length
  const model = await explainModel(environment, beginning)
  if (model.problem !== undefined && isNeeded(beginning, model)) problems.push(model.problem)
  return {
    agent: agent.name,
    depth,
    model,
    tools: explainTools(environment, beginning, {
      rights: rightsOf(agent, environment, process.cwd(), above.parent?.start),
      depth,
      limits,
    }),
    limits: explainLimits(environment, beginning, limits, above),
    variables: explainVariables(environment, beginning),
    problems,
  }
}

/** The runs that would be above, the root first. */
interface Above {
  readonly runs: readonly RunStart[]
  readonly parent?: RunState
}

const beginningOf = (agent: Agent, { parent }: Above, said: Omit<ExplainOptions, "parents">): Beginning => ({
  run: "to be explained",
  agent,
  task: "",
  ...said,
  ...(parent && { parent }),
})

/** A run of this agent as its child would find it, if it began this moment. */
async function supposed(
  environment: Environment,
  agent: Agent,
  above: Above,
  problems: string[],
): Promise<Above> {
  const beginning = beginningOf(agent, above, {})
  problems.push(...handedOn(environment, agent, above), ...failures(() => checkToolNames(agent, environment)))
  const limits = settleLimits(environment, beginning)
  const { granted, delegates } = settleTools(environment, beginning)
  const depth = above.runs.length
  const rights = rightsOf(agent, environment, process.cwd(), above.parent?.start)
  const offer = offerOf(environment, beginning, { granted, rights, depth, limits })
  const { tools } = pin(agent, granted, environment.tools, offer)
  const { source, uses = [], problem } = await explainModel(environment, beginning)
  if (problem !== undefined && isNeeded(beginning, { source })) problems.push(problem)
  const start: RunStart = {
    type: "run-start",
    kind: kindOf(agent),
    agent: agent.name,
    definition: "",
    task: "",
    depth,
    limits,
    rights,
    tools: tools.map(({ name }) => name),
    delegates,
    model: { requested: null, source, uses, resolved: "" },
    variables: overlaid(variableSayings(environment, beginning)),
    cwd: process.cwd(),
  }
  const { variables } = start
  // Its clock has not begun to count.
  const parent = { ...emptyState("supposed"), start, variables, lastAt: Number.MAX_SAFE_INTEGER }
  return { runs: [...above.runs, start], parent }
}

/** What keeps the last of these runs from calling this agent. */
function handedOn({ tools }: Environment, agent: Agent, { runs }: Above): readonly string[] {
  const parent = runs.at(-1)
  if (!parent) return []
  const deep = tooDeep(parent, agent)
  if (deep !== undefined) return [deep]
  if (parent.tools.some((name) => tools.get(name)?.kind === "delegation")) return []
  return [
    `Agent "${parent.agent}" has no tool to hand work on with, so it cannot call "${agent.name}". Grant it one, such as Agent.`,
  ]
}

async function explainModel(environment: Environment, beginning: Beginning): Promise<ExplainedModel> {
  const claims: ModelClaim[] = []
  for (const saying of modelSayings(beginning))
    claims.push({
      source: saying.source,
      requested: saying.choice ?? null,
      ...(await settledOrNot(environment, beginning, saying)),
    })
  const [first, ...over] = claims
  return { ...first!, over }
}

async function settledOrNot(environment: Environment, beginning: Beginning, saying: ModelSaying) {
  if (kindOf(beginning.agent) === "command") return {}
  try {
    return await settleSaying(environment, withoutParentOf(beginning, saying), saying)
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return { problem: error.message }
  }
}

/** What the default would come to, if it had its turn: then there would be nobody to inherit from. */
function withoutParentOf(beginning: Beginning, { source, choice }: ModelSaying): Beginning {
  if (source !== "default" || choice === null) return beginning
  const { parent: _, ...root } = beginning
  return root
}

function explainLimits(
  environment: Environment,
  beginning: Beginning,
  settled: Limits,
  { runs }: Above,
): readonly ExplainedLimit[] {
  const sayings = limitSayings(environment, beginning)
  return ([...limitNames] as (keyof Limits)[]).map((name) => {
    const said = sayings.flatMap(({ source, values }) => {
      const value = values[name]
      return value === undefined ? [] : [{ source, value }]
    })
    const value = settled[name]
    const shared = sharedOf(name, runs)
    if (value === undefined) return { name, over: said, ...shared }
    const [first, ...over] = said
    // What no longer is as it was said was bounded; and of two clocks of one length the parent's runs out first.
    const isBounded = first?.value !== value || (name === "timeout" && runs.at(-1)?.limits.timeout === value)
    return isBounded
      ? { name, value, source: "parent", over: said, ...shared }
      : { name, value, source: first.source, over, ...shared }
  })
}

const counted: ReadonlySet<keyof Limits> = new Set(["maxTokens", "maxCost", "maxSpawns", "maxConcurrency"])

function sharedOf(name: keyof Limits, runs: readonly RunStart[]): Pick<ExplainedLimit, "shared"> {
  const holder = counted.has(name) ? runs.findLast(({ limits }) => limits[name] !== undefined) : undefined
  return holder ? { shared: { value: holder.limits[name]!, agent: holder.agent } } : {}
}

function explainVariables(environment: Environment, beginning: Beginning): readonly ExplainedVariable[] {
  const sayings = variableSayings(environment, beginning)
  return Object.keys(overlaid(sayings)).map((name) => {
    const [first, ...over] = sayings.flatMap(({ source, values }) =>
      Object.hasOwn(values, name) ? [{ source, value: values[name]! }] : [],
    )
    return { name, ...first!, over }
  })
}

function failures(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    return [error.message]
  }
}
