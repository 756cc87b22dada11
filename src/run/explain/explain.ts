import type { Agent } from "../../agent/agent.ts"
import type { GivenModel } from "../../agent/model.ts"
import type { StartProblem } from "../../ground/errors.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { type ExplainedModel, explainModel } from "../begin/explain-model.ts"
import { settleTools } from "../begin/grant.ts"
import { withWorkflow } from "../begin/named-workflow.ts"
import { foreseeing } from "../begin/rehearse.ts"
import { settleLimits } from "../begin/settle-limits.ts"
import { attempted } from "../begin/start-problem.ts"
import { lookForProblems, placed, settlePlace } from "../begin/start-problems.ts"
import { variableSayings } from "../begin/variables.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { hooksOf } from "../rights/hooks.ts"
import { overlaid, type VariableRank } from "../rights/precedence.ts"
import type { Reached } from "../rights/reach.ts"
import { reachFrom } from "../rights/reach-from.ts"
import { type ExplainedHook, explainHooks } from "./explain-hooks.ts"
import { type ExplainedLimit, explainLimits } from "./explain-limits.ts"
import { type ExplainedTool, explainTools } from "./explain-tools.ts"
import type { Supposed } from "./suppose.ts"

/** What a call would say. */
export interface ExplainOptions {
  readonly model?: GivenModel
  readonly tools?: readonly string[]
  readonly limits?: Limits
  readonly variables?: { readonly [name: string]: Json }
  /** The agents that it would be called by, from the root down. Left out: it is a root. */
  readonly parents?: readonly (string | Agent)[]
  /** Default: the working directory. */
  readonly cwd?: string
  /** Where a root already is below some other root. Default: 0. */
  readonly depth?: number
}

/** What a run would have. Of everything the winner, and whom it overrules, the strongest first. */
export interface Explanation {
  readonly agent: string
  readonly depth: number
  readonly model: ExplainedModel
  readonly tools: readonly ExplainedTool[]
  readonly limits: readonly ExplainedLimit[]
  readonly variables: readonly ExplainedVariable[]
  /** In the order in which they judge. */
  readonly hooks: readonly ExplainedHook[]
  /** Every set of rules that binds it: its own first, then those of whoever calls it, and the configuration's. */
  readonly rights: readonly RuleSet[]
  /** Everybody whom it may have work, itself or through others, with what they ask for. */
  readonly reach: readonly Reached[]
  /** Why such a run would not start, the first that would be told first; what depends on its task aside. */
  readonly problems: readonly StartProblem[]
}

export interface ExplainedVariable {
  readonly name: string
  readonly value: Json
  readonly source: VariableRank
  readonly over: readonly { readonly source: VariableRank; readonly value: Json }[]
}

/** Settles everything as a run that begins does, by the same functions, and keeps what did not win. */
export async function explain(
  given: Environment,
  { beginning: asked, runs, problems }: Supposed,
  before: readonly StartProblem[] = [],
): Promise<Explanation> {
  const environment = foreseeing(given)
  const followed = await attempted(async () =>
    typeof asked.agent.workflow === "string" ? withWorkflow(environment, asked) : asked,
  )
  const beginning = followed.value ?? asked
  const { agent } = beginning
  const limits = settleLimits(environment, beginning)
  const depth = beginning.depth ?? runs.length
  const model = await explainModel(environment, beginning)
  const settled = await settlePlace(environment, beginning)
  const tools = explainTools(environment, beginning, { rights: settled.rights, depth, limits })
  const hooks = await attempted(async () => hooksOf(environment, agent))
  const grant = settleTools(environment, beginning)
  return {
    agent: agent.name,
    depth,
    model,
    tools,
    limits: explainLimits(environment, beginning, limits, runs),
    variables: explainVariables(environment, beginning),
    hooks: explainHooks(environment, hooks.value ?? [], {
      agent: agent.name,
      depth,
      above: runs.map((run) => run.agent),
      offered:
        agent.executor === undefined
          ? tools.flatMap(({ name, state }) => (state === "offered" ? [name] : []))
          : grant.granted,
    }),
    rights: settled.rights,
    reach: (await attempted(() => reachFrom(environment, agent))).value ?? [],
    problems: placed(environment, agent, [
      ...before,
      ...problems,
      // What a task gives a pipeline is known when there is one.
      ...(await lookForProblems(environment, asked)).filter(({ code }) => code !== "INPUT_INVALID"),
    ]),
  }
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
