import type { Agent } from "../agent.ts"
import type { Limits } from "../limits.ts"
import type { Json } from "../message.ts"
import type { GivenModel } from "../model.ts"
import { type Beginning, settleTools, withWorkflow } from "./begin.ts"
import { requireCheckable } from "./checkable.ts"
import { checkToolNames } from "./definition.ts"
import type { Environment, Grant } from "./environment.ts"
import type { RuleSet } from "./event.ts"
import { requireExecutor } from "./executing.ts"
import { type ExplainedHook, explainHooks } from "./explain-hooks.ts"
import { type ExplainedLimit, explainLimits } from "./explain-limits.ts"
import { type ExplainedModel, explainModel, modelProblems } from "./explain-model.ts"
import { type ExplainedTool, explainTools } from "./explain-tools.ts"
import { contextOf } from "./gather-context.ts"
import { hooksOf } from "./hooks.ts"
import { isolate } from "./isolate.ts"
import { checkKind } from "./plan.ts"
import { overlaid, type VariableRank } from "./precedence.ts"
import { foreseeing } from "./rehearse.ts"
import { mayBeSent } from "./rights.ts"
import { rightsOf } from "./rule-sets.ts"
import { settleLimits } from "./settle-limits.ts"
import { checkOverride } from "./settle-model.ts"
import { requireMode } from "./start-mode.ts"
import { attempted, failures, type StartProblem } from "./start-problem.ts"
import type { Supposed } from "./suppose.ts"
import { settleVariables, variableSayings } from "./variables.ts"

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
  const { available } = grant
  const { tools: narrowed = available } = beginning
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
    problems: [
      ...before,
      ...problems,
      ...followed.problems,
      ...failures(() => requireMode(agent)),
      ...failures(() =>
        requireCheckable(agent, () => available.filter((name) => narrowed.includes(name)), environment),
      ),
      ...failures(() => settleVariables(environment, beginning)),
      ...(await executorProblems(environment, beginning, grant)),
      ...failures(() => checkOverride(environment, beginning)),
      ...(await modelProblems(environment, beginning, model)),
      ...settled.problems,
      ...failures(() => checkToolNames(agent, environment)),
      ...hooks.problems,
    ],
  }
}

/** Of an agent that a program runs. One that is not configured is nobody's to hand on. */
async function executorProblems(
  environment: Environment,
  beginning: Beginning,
  grant: Grant,
): Promise<readonly StartProblem[]> {
  const { agent, task } = beginning
  if (agent.executor === undefined) return []
  const { problems } = await attempted(() => checkKind(environment, agent, task, beginning))
  if (problems.some(({ code }) => code === "EXECUTOR_UNKNOWN")) return problems
  return [...problems, ...failures(() => requireExecutor(agent, grant))]
}

/** Where it would work, and what binds it there. */
async function settlePlace(
  environment: Environment,
  beginning: Beginning,
): Promise<{ readonly rights: readonly RuleSet[]; readonly problems: readonly StartProblem[] }> {
  const { agent, parent, run } = beginning
  const given = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const { granted, delegates } = settleTools(environment, beginning)
  const isolated = await attempted(() =>
    isolate(environment, {
      run,
      agent,
      cwd: given,
      tools: [...granted, ...delegates],
      parent: parent?.start,
    }),
  )
  const { cwd = given, worktree, moved } = isolated.value ?? {}
  const rights = rightsOf(agent, environment, cwd, beginning)
  const context = await attempted(() =>
    contextOf(environment, agent, {
      ...beginning,
      cwd: given,
      ...(worktree && { worksIn: cwd }),
      permits: (file) => mayBeSent(rights, file, moved),
    }),
  )
  return { rights, problems: [...isolated.problems, ...context.problems] }
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
