import type { Agent } from "../../agent/agent.ts"
import type { ModelInput } from "../../agent/model.ts"
import type { StartProblem } from "../../ground/errors.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json } from "../../ground/message.ts"
import { type ExplainedModel, explainModel } from "../begin/explain-model.ts"
import { settleTools } from "../begin/grant.ts"
import { withWorkflow } from "../begin/named-workflow.ts"
import { foreseeOnly } from "../begin/rehearse.ts"
import { settleLimits } from "../begin/settle-limits.ts"
import { attemptStart } from "../begin/start-problem.ts"
import { addProblemPlaces, lookForProblems, settleRightsInPlace } from "../begin/start-problems.ts"
import { rankVariables } from "../begin/variables.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { listAgentHooks } from "../rights/hooks.ts"
import { mergeInOrder, type VariableRank } from "../rights/precedence.ts"
import type { ReachableAgent } from "../rights/reach.ts"
import { findReach } from "../rights/reach-from.ts"
import { type ExplainedHook, explainHooks } from "./explain-hooks.ts"
import { type ExplainedLimit, explainLimits } from "./explain-limits.ts"
import { type ExplainedTool, explainTools } from "./explain-tools.ts"
import type { SupposedRun } from "./suppose.ts"

/** The options of the call to be explained. */
export interface ExplainOptions {
  /** The model that the call names. Default: none, so the definition decides. */
  readonly model?: ModelInput
  /** The only tools that the call lets the run use. Default: all tools of the definition. */
  readonly tools?: readonly string[]
  /** The limits that the call sets. Default: none. */
  readonly limits?: RunLimits
  /** The variables that the call sets. Default: none. */
  readonly variables?: { readonly [name: string]: Json }
  /** The callers above the agent, from the root down. Default: none, so the agent is a root. */
  readonly parents?: readonly (string | Agent)[]
  /** Default: the working directory. */
  readonly cwd?: string
  /** The depth of a root that is itself below another root. Default: 0. */
  readonly depth?: number
}

/** The effective settings of a run. Each has the value that takes effect, and those it overrides, strongest first. */
export interface AgentExplanation {
  /** The name of the agent. */
  readonly agent: string
  /** The number of runs above the run: 0 for a root. */
  readonly depth: number
  /** The model of the run, and the choices that it overrides. */
  readonly model: ExplainedModel
  /**
   * All tools of the runtime, then other names that the definition lists. Each has its state and the
   * reason.
   */
  readonly tools: readonly ExplainedTool[]
  /** Every limit, with its value and its source. */
  readonly limits: readonly ExplainedLimit[]
  /** Every variable, with its initial value and its source. */
  readonly variables: readonly ExplainedVariable[]
  /** In the order in which they judge. */
  readonly hooks: readonly ExplainedHook[]
  /** Every set of rules that binds the run: its own first, then its callers', then the configuration's. */
  readonly rights: readonly RuleSet[]
  /** The agents that it may call, itself or through other agents, with the tools that they ask for. */
  readonly reach: readonly ReachableAgent[]
  /** The problems that keep such a run from starting, in the order of the checks. Problems of the task are not among them. */
  readonly problems: readonly StartProblem[]
}

export interface ExplainedVariable {
  readonly name: string
  readonly value: Json
  readonly source: VariableRank
  readonly over: readonly { readonly source: VariableRank; readonly value: Json }[]
}

/** Settles everything with the functions that begin a run, and keeps the values that were overridden. */
export async function explain(
  realEnvironment: Environment,
  { beginning: request, runs, problems }: SupposedRun,
  earlierProblems: readonly StartProblem[] = [],
): Promise<AgentExplanation> {
  const environment = foreseeOnly(realEnvironment)
  const workflowAttempt = await attemptStart(async () =>
    typeof request.agent.workflow === "string" ? withWorkflow(environment, request) : request,
  )
  const beginning = workflowAttempt.value ?? request
  const { agent } = beginning
  const limits = settleLimits(environment, beginning)
  const depth = beginning.depth ?? runs.length
  const model = await explainModel(environment, beginning)
  const place = await settleRightsInPlace(environment, beginning)
  const tools = explainTools(environment, beginning, { rights: place.rights, depth, limits })
  const hooks = await attemptStart(async () => listAgentHooks(environment, agent))
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
    rights: place.rights,
    reach: (await attemptStart(() => findReach(environment, agent))).value ?? [],
    problems: addProblemPlaces(environment, agent, [
      ...earlierProblems,
      ...problems,
      // The inputs of a pipeline come with a task, and there is none yet.
      ...(await lookForProblems(environment, request)).filter(({ code }) => code !== "INPUT_INVALID"),
    ]),
  }
}

function explainVariables(environment: Environment, beginning: Beginning): readonly ExplainedVariable[] {
  const sayings = rankVariables(environment, beginning)
  return Object.keys(mergeInOrder(sayings)).map((name) => {
    const [first, ...over] = sayings.flatMap(({ source, values }) =>
      Object.hasOwn(values, name) ? [{ source, value: values[name]! }] : [],
    )
    return { name, ...first!, over }
  })
}
