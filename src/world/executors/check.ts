import type { Agent } from "../../agent/agent.ts"
import type { ExecutorSettings, Executors } from "../../agent/executor.ts"
import { listKnownNames, StartError, type StartProblem } from "../../ground/errors.ts"
import { limitNames } from "../../ground/limits.ts"
import type { DeniedTool, RunBounds } from "../../run/ports/planner.ts"
import type { Denial } from "./bounds.ts"
import { type HandedRestrictions, handOverRestrictions } from "./hand-over.ts"

/** Throws EXECUTOR_UNKNOWN where the program of an agent is not configured. */
export function requireExecutorSettings(
  executors: Executors,
  { name, executor = "" }: Agent,
): ExecutorSettings {
  if (Object.hasOwn(executors, executor)) return executors[executor]!
  throw startError({
    code: "EXECUTOR_UNKNOWN",
    rule: "executor-unknown",
    part: "executor",
    message: `Agent "${name}" needs the executor ${JSON.stringify(executor)}, which is not configured. ${listKnownNames(executor, Object.keys(executors))} Add its command under \`executors:\` in your config.yaml.`,
  })
}

const startError = (problem: Omit<StartProblem, "kind"> & Partial<Pick<StartProblem, "kind">>): StartError =>
  new StartError([{ kind: "written", ...problem }])

/** The restrictions that a program is told, and the parts of the agent that have no effect. */
export interface ExecutorCheck {
  readonly handed: HandedRestrictions
  readonly warnings: readonly string[]
  readonly taken: readonly DeniedTool[]
}

/** Throws if the program has no option for a restriction of the agent: the agent would have more rights than it may. */
export function checkExecutor(
  executors: Executors,
  agent: Agent,
  { model: requestedModel, ...binding }: { readonly model?: string } & RunBounds,
): ExecutorCheck {
  const settings = requireExecutorSettings(executors, agent)
  const { options = {} } = settings
  const { name, executor } = agent
  const result = handOverRestrictions(settings, agent, binding)
  const hasSteps = (agent.workflow ?? null) !== null
  if (hasSteps || "problem" in result) {
    const why =
      hasSteps || !("problem" in result)
        ? `its executor ${executor} cannot follow its \`workflow\`. Remove \`workflow\`.`
        : result.problem
    throw startError({
      code: "EXECUTOR_DENIED",
      rule: "executor-unheard",
      part: hasSteps ? "workflow" : agent.tools.deny.length > 0 ? "tools.deny" : "executor",
      message: `Agent "${name}" was not started: ${why}`,
    })
  }
  if (agent.context?.fork)
    throw startError({
      code: "AGENT_INVALID",
      rule: "executor-unheard",
      part: "context",
      message: `Agent "${name}" starts from its caller's history, which its executor ${executor} cannot take. Remove \`context: fork\`.`,
    })
  if (requestedModel !== undefined && !options.model)
    throw startError({
      code: "MODEL_DENIED",
      kind: "call",
      message: `Agent "${name}" was called with the model ${JSON.stringify(requestedModel)}, but its executor ${executor} chooses its own model. Call it without a model, or give the executor \`options: {model: …}\`.`,
    })
  const unused = listIgnored(agent, options)
  return {
    handed: result.handed,
    warnings:
      unused.length === 0
        ? []
        : [`The executor ${executor} runs agent "${name}" and ignores its ${unused.join(", ")}.`],
    taken: result.taken.map(toTakenTool),
  }
}

/** True if the agent lists tools and its program would get none of them. */
export const hasNoTools = ({ handed, taken }: Pick<ExecutorCheck, "handed" | "taken">): boolean =>
  handed.tools?.length === 0 && taken.length > 0

const toTakenTool = ({ tool, source, decision, agent, rule, isOwn }: Denial): DeniedTool => ({
  tool,
  ...(isOwn && { own: isOwn }),
  ...(decision !== "lack" && {
    by: { of: source, ...(agent !== undefined && { agent }), ...(rule !== undefined && { rule }) },
  }),
  ...(decision === "ask" && { asks: true }),
})

type Options = NonNullable<ExecutorSettings["options"]>

/** The agent's other settings that its executor ignores. */
function listIgnored(agent: Agent, options: Options): readonly string[] {
  const { model, effort, limits, mcpServers = [], toolDefinitions = [], hooks } = agent
  const isModelSet = model !== undefined && model !== null && model !== "inherit"
  return [
    ...(isModelSet && !options.model ? ["`model`"] : []),
    ...(effort !== undefined && !options.effort ? ["`effort`"] : []),
    ...[...limitNames]
      .filter((limit) => limit in limits && !appliedLimits.includes(limit))
      .sort()
      .map((limit) => `\`limits.${limit}\``),
    ...(mcpServers.length > 0 ? ["`mcpServers`"] : []),
    ...(toolDefinitions.length > 0 ? ["`toolDefinitions`"] : []),
    ...(hooks === undefined ? [] : ["`hooks` (except those at its start)"]),
  ]
}

const appliedLimits = ["timeout", "approvalTimeout", "maxDepth", "maxConcurrency", "maxResultBytes"]
