import type { Agent } from "../../agent/agent.ts"
import { findStrictest } from "../../agent/confinement.ts"
import { CadreError } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { chooseConfinement } from "../begin/confine.ts"
import { checkContinuation, readEndedRun } from "../begin/continue-run.ts"
import { getWholeCeiling } from "../begin/grant.ts"
import { loadDefinition } from "../begin/load.ts"
import { Owners } from "../drive/owners.ts"
import { beginSuccessor } from "../drive/succession.ts"
import { preview } from "../explain/preview.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Definition } from "../ports/pinned.ts"
import type { ToolPlace, ToolRequest, ToolSource } from "../ports/tool-source.ts"
import { findDenial } from "../rights/find-denial.ts"
import { findReach } from "../rights/reach-from.ts"
import { readRequestedTools } from "../rights/requested-tools.ts"
import { findForbiddenPaths } from "../rights/rights.ts"
import { anchorRules } from "../rights/rule-sets.ts"
import type { RunState } from "../state/state.ts"

/** Begins and drives runs. This is most of the code for runs, and loads with the first one. */
export type Engine = ReturnType<typeof openEngine>

export const openEngine = (environment: Environment) => ({
  owners: new Owners(environment),
  begin: (beginning: Beginning) => {
    const learned = environment.scripts?.learn([beginning.agent])
    return learned ? learned.then(() => begin(environment, beginning)) : begin(environment, beginning)
  },
  findTools: (agent: Agent, place: OpenPlace) => findTools(environment, agent, place),
  findToolsOf: (state: RunState) => findToolsOf(environment, state),
  preview: (beginning: Beginning) => preview(environment, beginning),
  endedRun: (run: string) => readEndedRun(environment.store, run),
  continuing: (state: RunState, agent: Agent) => checkContinuation(environment, state, agent),
  succeed: (state: RunState) => beginSuccessor(environment, state),
})

/** Finds the tools that a tree may need: those of an agent and of all agents that it may call. */
async function findTools(environment: Environment, agent: Agent, place: OpenPlace): Promise<void> {
  const { toolSource, agents, scripts } = environment
  await scripts?.learn([agent, ...agents.all()])
  if (!toolSource?.isNeeded(agent, agents.all())) return
  const all = [agent, ...agents.all()]
  const requests = [
    { agent, names: readRequestedTools(agent).tools },
    ...(await findReach(environment, agent)).map(({ name, tools }): ToolRequest => {
      const reached = agents.find(name)
      return { names: tools, ...(reached && { agent: reached }) }
    }),
  ]
  const { rights, tools } = environment
  const denies = (pattern: string) => findDenial([rights], pattern, tools)?.rule !== undefined
  await toolSource.find(requests, all, { ...toolPlace(environment, place), denies })
}

/**
 * Finds the tools of a tree that is resumed, which has no more tools than it began with. The root has the servers of its
 * pinned definition. Throws where one of its servers is another one now.
 */
async function findToolsOf(environment: Environment, { run, start, confinement }: RunState): Promise<void> {
  const { toolSource, agents, scripts } = environment
  const { tools, cwd, definition } = start!
  const ceiling = getWholeCeiling(start!) ?? tools
  if (!toolSource && !scripts) return
  const pinned = await loadDefinition(environment, run, definition)
  await scripts?.learn([pinned.agent, ...agents.all()])
  if (!toolSource) return
  if (!toolSource.isNeeded(pinned.agent, agents.all())) return
  const all = [pinned.agent, ...agents.all()]
  requireSameServers(run, pinned, toolSource)
  const requests = all
    .filter((agent) => agent === pinned.agent || agent.mcpServers !== undefined)
    .map((agent) => ({ agent, names: ceiling }))
  await toolSource.find(
    [{ names: ceiling }, ...requests],
    all,
    toolPlace(environment, { tree: run, cwd, confinement }),
  )
}

/** A server that is configured otherwise than when the run began could do anything else under the same name. */
function requireSameServers(run: string, { tools }: Definition, source: ToolSource): void {
  const changed = tools.flatMap(({ server }) => {
    if (!server || server.brought) return []
    const now = source.digestOf(server.name)
    return now === undefined || now === server.entry ? [] : [server.name]
  })
  const [first] = changed
  if (first === undefined) return
  throw new CadreError(
    "MCP_SERVER_CHANGED",
    `Run ${run} is not resumed: the entry of the MCP server ${first} has changed since the run began. Its program, address, arguments, names of variables, folders and network must stay the same. Restore the entry, or start a new run.`,
  )
}

/** A place without the bounds that rules set. */
type OpenPlace = Omit<ToolPlace, "forbidden" | "denies">

const toolPlace = (environment: Environment, place: OpenPlace): ToolPlace => {
  const rules = anchorRules(environment.rights, environment.tools, place.cwd)
  const confinement = findStrictest(place.confinement, chooseConfinement(environment.tools, {}))
  return { ...place, forbidden: findForbiddenPaths([rules]), confinement }
}
