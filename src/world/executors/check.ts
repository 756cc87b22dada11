import type { Agent } from "../../agent/agent.ts"
import type { ExecutorSettings, Executors } from "../../agent/executor.ts"
import { knownNames, StartError, type StartProblem } from "../../ground/errors.ts"
import { limitNames } from "../../ground/limits.ts"
import type { Binding, TakenTool } from "../../run/ports/planner.ts"
import type { Denial } from "./bounds.ts"
import { type Handed, handOver } from "./hand-over.ts"

/** Throws EXECUTOR_UNKNOWN where the program of an agent is not configured. */
export function settingsOf(executors: Executors, { name, executor = "" }: Agent): ExecutorSettings {
  if (Object.hasOwn(executors, executor)) return executors[executor]!
  throw refused({
    code: "EXECUTOR_UNKNOWN",
    rule: "executor-unknown",
    part: "executor",
    message: `Agent "${name}" is run by the executor ${JSON.stringify(executor)}, which is not configured. ${knownNames(executor, Object.keys(executors))} Name its command below \`executors:\` in your config.yaml.`,
  })
}

const refused = (problem: Omit<StartProblem, "kind"> & Partial<Pick<StartProblem, "kind">>): StartError =>
  new StartError([{ kind: "written", ...problem }])

/** What a program is told, and what a run of the agent has to do without. */
export interface Checked {
  readonly handed: Handed
  readonly warnings: readonly string[]
  readonly taken: readonly TakenTool[]
}

/** Throws where its program could not be told what binds the agent: it would have more rights than it may. */
export function checkExecutor(
  executors: Executors,
  agent: Agent,
  { model: called, ...binding }: { readonly model?: string } & Binding,
): Checked {
  const settings = settingsOf(executors, agent)
  const { options = {} } = settings
  const { name, executor } = agent
  const told = handOver(settings, agent, binding)
  const hasSteps = (agent.workflow ?? null) !== null
  if (hasSteps || "problem" in told) {
    const why =
      hasSteps || !("problem" in told)
        ? `the executor ${executor} runs it, and cannot be told of its \`workflow\`. Take it out.`
        : told.problem
    throw refused({
      code: "EXECUTOR_DENIED",
      rule: "executor-unheard",
      part: hasSteps ? "workflow" : agent.tools.deny.length > 0 ? "tools.deny" : "executor",
      message: `Agent "${name}" was not started: ${why}`,
    })
  }
  if (agent.context?.fork)
    throw refused({
      code: "AGENT_INVALID",
      rule: "executor-unheard",
      part: "context",
      message: `Agent "${name}" starts from what its caller has read and written, which the executor ${executor} cannot be given. Take \`context: fork\` out.`,
    })
  if (called !== undefined && !options.model)
    throw refused({
      code: "MODEL_DENIED",
      kind: "call",
      message: `Agent "${name}" was to run on ${JSON.stringify(called)}, but the executor ${executor} chooses its model itself. Leave it out, or give the executor \`options: {model: …}\`.`,
    })
  const unused = ignored(agent, options)
  return {
    handed: told.handed,
    warnings:
      unused.length === 0
        ? []
        : [`The executor ${executor} runs agent "${name}" and does not hear of its ${unused.join(", ")}.`],
    taken: told.taken.map(takenTool),
  }
}

/** Whether the agent lists tools and its program would have none of them. */
export const isEmpty = ({ handed, taken }: Pick<Checked, "handed" | "taken">): boolean =>
  handed.tools?.length === 0 && taken.length > 0

const takenTool = ({ what, of, decision, agent, rule, own }: Denial): TakenTool => ({
  tool: what,
  ...(own && { own }),
  ...(decision !== "lack" && {
    by: { of, ...(agent !== undefined && { agent }), ...(rule !== undefined && { rule }) },
  }),
  ...(decision === "ask" && { asks: true }),
})

type Options = NonNullable<ExecutorSettings["options"]>

/** What else it says that comes to nothing. */
function ignored(agent: Agent, options: Options): readonly string[] {
  const { model, effort, limits, mcpServers = [], toolDefinitions = [], hooks } = agent
  const isSaid = model !== undefined && model !== null && model !== "inherit"
  return [
    ...(isSaid && !options.model ? ["`model`"] : []),
    ...(effort !== undefined && !options.effort ? ["`effort`"] : []),
    ...[...limitNames]
      .filter((limit) => limit in limits && !heardLimits.includes(limit))
      .sort()
      .map((limit) => `\`limits.${limit}\``),
    ...(mcpServers.length > 0 ? ["`mcpServers`"] : []),
    ...(toolDefinitions.length > 0 ? ["`toolDefinitions`"] : []),
    ...(hooks === undefined ? [] : ["`hooks` of anything but its own start"]),
  ]
}

const heardLimits = ["timeout", "approvalTimeout", "maxDepth", "maxConcurrency", "maxResultBytes"]
