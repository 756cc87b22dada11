import type { Agent } from "../../agent/agent.ts"
import type { StartProblem } from "../../ground/errors.ts"
import { checkToolNames, pin } from "../begin/definition.ts"
import { explainModel, modelProblems } from "../begin/explain-model.ts"
import { settleTools } from "../begin/grant.ts"
import { kindOf } from "../begin/kind.ts"
import { offerOf } from "../begin/offer.ts"
import { foreseeing } from "../begin/rehearse.ts"
import { settleLimits, settleWithin } from "../begin/settle-limits.ts"
import { failures } from "../begin/start-problem.ts"
import { variableSayings } from "../begin/variables.ts"
import { tooDeep } from "../effects/send-off.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import { overlaid } from "../rights/precedence.ts"
import { rightsOf } from "../rights/rule-sets.ts"
import { emptyState, type RunState } from "../state/state.ts"

/** A run that has not begun, and those that would be above it, the root first. */
export interface Supposed {
  readonly beginning: Beginning
  readonly runs: readonly RunStart[]
  /** What is wrong already. */
  readonly problems: readonly StartProblem[]
}

/** Supposes that an agent is called by these others, one below the other, and that the call says this. */
export async function suppose(
  given: Environment,
  agent: Agent,
  parents: readonly Agent[],
  said: Said,
): Promise<Supposed> {
  const environment = foreseeing(given)
  const problems: StartProblem[] = []
  const { cwd = process.cwd() } = said
  let above: Above = { runs: [] }
  for (const parent of parents) above = await supposed(environment, parent, above, cwd, problems)
  problems.push(...handedOn(environment, agent, above.parent?.start))
  return { beginning: beginningOf(agent, above, said), runs: above.runs, problems }
}

type Said = Partial<Omit<Beginning, "agent" | "parent" | "call">>

/** The runs that would be above, the root first. */
interface Above {
  readonly runs: readonly RunStart[]
  readonly parent?: RunState
}

const beginningOf = (agent: Agent, { parent }: Above, said: Said): Beginning => ({
  run: "to be explained",
  task: "",
  ...said,
  agent,
  ...(parent && { parent, call: "c1", ceiling: parent.start!.ceiling ?? [] }),
})

/** A run of this agent as its child would find it, if it began this moment. */
async function supposed(
  environment: Environment,
  agent: Agent,
  above: Above,
  cwd: string,
  problems: StartProblem[],
): Promise<Above> {
  const beginning = beginningOf(agent, above, {})
  problems.push(
    ...handedOn(environment, agent, above.parent?.start),
    ...failures(() => checkToolNames(agent, environment)),
  )
  const limits = settleLimits(environment, beginning)
  const within = settleWithin(environment, beginning)
  const grant = settleTools(environment, beginning)
  const { granted, delegates } = grant
  const depth = above.runs.length
  const rights = rightsOf(agent, environment, cwd, above, grant)
  const offer = offerOf(environment, beginning, { granted, rights, depth, limits })
  const { tools } = pin(agent, granted, environment.tools, offer)
  const model = await explainModel(environment, beginning)
  problems.push(...(await modelProblems(environment, beginning)))
  const { source, uses = [] } = model
  const start: RunStart = {
    type: "run-start",
    kind: kindOf(agent),
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
    variables: overlaid(variableSayings(environment, beginning)),
    cwd,
  }
  const { variables } = start
  // Its clock has not begun to count.
  const parent = { ...emptyState("supposed"), start, rights, variables, lastAt: Number.MAX_SAFE_INTEGER }
  return { runs: [...above.runs, start], parent }
}

/** What keeps a run from calling this agent. */
function handedOn(
  { tools }: Environment,
  agent: Agent,
  parent: RunStart | undefined,
): readonly StartProblem[] {
  if (!parent) return []
  const deep = tooDeep(parent, agent)
  if (deep !== undefined) return [{ kind: "call", message: deep }]
  if (parent.tools.some((name) => tools.get(name)?.kind === "delegation")) return []
  return [
    {
      kind: "call",
      message: `Agent "${parent.agent}" has no tool to hand work on with, so it cannot call "${agent.name}". Grant it one, such as Agent.`,
    },
  ]
}
