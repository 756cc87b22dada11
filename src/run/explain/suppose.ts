import type { Agent } from "../../agent/agent.ts"
import type { StartProblem } from "../../ground/errors.ts"
import { checkToolNames, pinDefinition } from "../begin/definition.ts"
import { explainModel, findModelProblems } from "../begin/explain-model.ts"
import { settleTools } from "../begin/grant.ts"
import { getRunKind } from "../begin/kind.ts"
import { settleOffer } from "../begin/offer.ts"
import { foreseeOnly } from "../begin/rehearse.ts"
import { settleLimits, settleWithin } from "../begin/settle-limits.ts"
import { collectProblems } from "../begin/start-problem.ts"
import { rankVariables } from "../begin/variables.ts"
import { findDepthProblem } from "../effects/send-off.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { mergeInOrder } from "../rights/precedence.ts"
import { collectRights } from "../rights/rule-sets.ts"
import { emptyRunState, type RunState } from "../state/state.ts"

/** A run that has not begun, and the runs that would be above it, the root first. */
export interface SupposedRun {
  readonly beginning: Beginning
  readonly runs: readonly RunStart[]
  /** The problems of the runs above, and of the call. */
  readonly problems: readonly StartProblem[]
}

/** Supposes that these parents, one below the other, call an agent with these options. */
export async function suppose(
  realEnvironment: Environment,
  agent: Agent,
  parents: readonly Agent[],
  options: CallOptions,
): Promise<SupposedRun> {
  const environment = foreseeOnly(realEnvironment)
  const problems: StartProblem[] = []
  const { cwd = process.cwd() } = options
  let above: Above = { runs: [] }
  for (const parent of parents) above = await supposeRun(environment, parent, above, cwd, problems)
  problems.push(...callProblems(environment, agent, above.parent?.start))
  return { beginning: beginningOf(agent, above, options), runs: above.runs, problems }
}

type CallOptions = Partial<Omit<Beginning, "agent" | "parent" | "call">>

/** The runs that would be above, the root first. */
interface Above {
  readonly runs: readonly RunStart[]
  readonly parent?: RunState
}

const beginningOf = (agent: Agent, { parent }: Above, options: CallOptions): Beginning => ({
  run: "to be explained",
  task: "",
  ...options,
  agent,
  ...(parent && { parent, call: "c1", ceiling: parent.start!.ceiling ?? [] }),
})

/** A run of this agent as its child would see it, if the run began now. */
async function supposeRun(
  environment: Environment,
  agent: Agent,
  above: Above,
  cwd: string,
  problems: StartProblem[],
): Promise<Above> {
  const beginning = beginningOf(agent, above, {})
  problems.push(
    ...callProblems(environment, agent, above.parent?.start),
    ...collectProblems(() => checkToolNames(agent, environment)),
  )
  const limits = settleLimits(environment, beginning)
  const within = settleWithin(environment, beginning)
  const grant = settleTools(environment, beginning)
  const { granted, delegates } = grant
  const depth = above.runs.length
  const rights = collectRights(agent, environment, cwd, above, grant)
  const offer = settleOffer(environment, beginning, { granted, rights, depth, limits })
  const { tools } = pinDefinition(agent, granted, environment.tools, offer)
  const model = await explainModel(environment, beginning)
  problems.push(...(await findModelProblems(environment, beginning)))
  const { source, uses = [] } = model
  const start: RunStart = {
    type: "run-start",
    kind: getRunKind(agent),
    agent: agent.name,
    definition: "",
    task: "",
    depth,
    limits,
    ...(within !== undefined && { within }),
    rights,
    tools: tools.map(({ name }) => name),
    delegates,
    ...(grant.delegation === "own" && { delegation: "own", ceiling: grant.ceiling }),
    model: { requested: null, source, uses, resolved: "" },
    variables: mergeInOrder(rankVariables(environment, beginning)),
    cwd,
  }
  const { variables } = start
  // A time in the far future, so that no time counts as elapsed.
  const parent = { ...emptyRunState("supposed"), start, rights, variables, lastAt: Number.MAX_SAFE_INTEGER }
  return { runs: [...above.runs, start], parent }
}

/** The problems that keep a run from calling this agent. */
function callProblems(
  { tools }: Environment,
  agent: Agent,
  parent: RunStart | undefined,
): readonly StartProblem[] {
  if (!parent) return []
  const deep = findDepthProblem(parent, agent)
  if (deep !== undefined) return [{ kind: "call", message: deep }]
  if (parent.tools.some((name) => tools.get(name)?.kind === "delegation")) return []
  return [
    {
      kind: "call",
      message: `Agent "${parent.agent}" has no tool for calling agents, so it cannot call "${agent.name}". Grant it one, such as Agent.`,
    },
  ]
}
