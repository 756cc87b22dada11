import type { Agent } from "../../agent/agent.ts"
import { findStrictest } from "../../agent/confinement.ts"
import { begin } from "../begin/begin.ts"
import { confinementOf } from "../begin/confine.ts"
import { checkContinuation, readEndedRun } from "../begin/continue-run.ts"
import { Owners } from "../drive/owners.ts"
import { beginSuccessor } from "../drive/succession.ts"
import { preview } from "../explain/preview.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { ToolPlace } from "../ports/tool-source.ts"
import { findReach } from "../rights/reach-from.ts"
import { readRequestedTools } from "../rights/requested-tools.ts"
import { findForbiddenPaths } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"

/** Begins and drives runs. This is most of the code for runs, and loads with the first one. */
export type Engine = ReturnType<typeof openEngine>

export const openEngine = (environment: Environment) => ({
  owners: new Owners(environment),
  begin: (beginning: Beginning) => begin(environment, beginning),
  findTools: (target: Agent | readonly string[], place: Omit<ToolPlace, "forbidden">) =>
    findTools(environment, target, place),
  findToolsOf: (state: RunState) => findToolsOf(environment, state),
  preview: (beginning: Beginning) => preview(environment, beginning),
  endedRun: (run: string) => readEndedRun(environment.store, run),
  continuing: (state: RunState, agent: Agent) => checkContinuation(environment, state, agent),
  succeed: (state: RunState) => beginSuccessor(environment, state),
})

/** Finds the tools that a tree may need: those of an agent and of all agents that it may call, or those with these names. */
async function findTools(
  environment: Environment,
  target: Agent | readonly string[],
  place: Omit<ToolPlace, "forbidden">,
): Promise<void> {
  const { toolSource } = environment
  if (!toolSource) return
  const names = isNames(target)
    ? target
    : [target, ...(await findReach(environment, target))].flatMap((one) =>
        "origin" in one ? readRequestedTools(one).tools : one.tools,
      )
  const rules = anchorRules(environment.rights, environment.tools, place.cwd)
  const confinement = findStrictest(place.confinement, confinementOf(environment.tools, {}))
  await toolSource.find(names, { ...place, forbidden: findForbiddenPaths([rules]), confinement })
}

/** Finds the tools of a tree that is resumed, which has no more tools than it began with. */
function findToolsOf(environment: Environment, { run, start, confinement }: RunState): Promise<void> {
  const { tools, ceiling = tools, cwd } = start!
  return findTools(environment, ceiling, { tree: run, cwd, confinement })
}

const isNames = (target: Agent | readonly string[]): target is readonly string[] => Array.isArray(target)
