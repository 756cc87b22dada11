import type { Agent } from "../../agent/agent.ts"
import { strictest } from "../../agent/confinement.ts"
import { begin } from "../begin/begin.ts"
import { confinementOf } from "../begin/confine.ts"
import { continuing, endedRun } from "../begin/continuing.ts"
import { Owners } from "../drive/owners.ts"
import { succeed } from "../drive/succession.ts"
import { preview } from "../explain/preview.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { ToolPlace } from "../ports/tool-source.ts"
import { askedTools } from "../rights/asked-tools.ts"
import { reachFrom } from "../rights/reach-from.ts"
import { forbiddenIn } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"

/** What begins and drives runs. It is most of the code there is for them, and loads with the first. */
export type Engine = ReturnType<typeof openEngine>

export const openEngine = (environment: Environment) => ({
  owners: new Owners(environment),
  begin: (beginning: Beginning) => begin(environment, beginning),
  findTools: (wanted: Agent | readonly string[], place: Omit<ToolPlace, "forbidden">) =>
    findTools(environment, wanted, place),
  findToolsOf: (state: RunState) => findToolsOf(environment, state),
  preview: (beginning: Beginning) => preview(environment, beginning),
  endedRun: (run: string) => endedRun(environment.store, run),
  continuing: (state: RunState, agent: Agent) => continuing(environment, state, agent),
  succeed: (state: RunState) => succeed(environment, state),
})

/** Has the tools known that a tree may need: those of an agent and of everybody it may have work, or those by these names. */
async function findTools(
  environment: Environment,
  wanted: Agent | readonly string[],
  place: Omit<ToolPlace, "forbidden">,
): Promise<void> {
  const { toolSource } = environment
  if (!toolSource) return
  const names = isNames(wanted)
    ? wanted
    : [wanted, ...(await reachFrom(environment, wanted))].flatMap((one) =>
        "origin" in one ? askedTools(one).tools : one.tools,
      )
  const rules = anchorRules(environment.rights, environment.tools, place.cwd)
  const confinement = strictest(place.confinement, confinementOf(environment.tools, {}))
  await toolSource.find(names, { ...place, forbidden: forbiddenIn([rules]), confinement })
}

/** The same for a tree that goes on: it has no more than it began with. */
function findToolsOf(environment: Environment, { run, start, confinement }: RunState): Promise<void> {
  const { tools, ceiling = tools, cwd } = start!
  return findTools(environment, ceiling, { tree: run, cwd, confinement })
}

const isNames = (wanted: Agent | readonly string[]): wanted is readonly string[] => Array.isArray(wanted)
