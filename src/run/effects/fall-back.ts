import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { readEndedRun } from "../begin/continue-run.ts"
import { readRunStart } from "../begin/load.ts"
import { releaseDedupeKey, withDedupeKey } from "../log/dedupe.ts"
import type { AgentAttempt, RunEvent } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { writeFallbackKey } from "../log/id.ts"
import type { Beginning } from "../ports/beginning.ts"
import { getAgentAccess } from "../rights/agent-access.ts"
import { judge } from "../rights/rights.ts"
import type { Child } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { judgeWithHooks } from "./hook-call.ts"
import { lookUpAgent } from "./look-up-agent.ts"
import { createChildRun, describeChildRights, dispatchChild, findDepthProblem } from "./send-off.ts"

/**
 * Hands the task of a failed child to the next agent of its chain, as another child of the same call. If no
 * agent can begin, the report of the failed child is the result of the call.
 */
export async function startFallback(drive: Drive, run: string): Promise<void> {
  const { recorder, environment } = drive
  const failedChild = drive.state.children.find((child) => child.run === run)
  if (!failedChild?.failed || !failedChild.fallback) return
  const skipped: AgentAttempt[] = []
  const remaining = [...failedChild.fallback.next]
  const before = await readRunStart(environment.store, run)
  const child = `${drive.state.run}.${drive.numberChild()}`
  for (let name = remaining.shift(); name !== undefined && !drive.isStopped; name = remaining.shift()) {
    if (isTried(failedChild, name)) continue
    const refusal = await blockedBy(drive, failedChild, name, before.task)
    const first =
      refusal ?? (await beginFallback(drive, { child, name, after: failedChild, fallbackOf: run, before }))
    if (first === "tried") continue
    if ("problem" in first) {
      skipped.push({ agent: name, reason: first.problem })
      continue
    }
    const { agent, event } = first
    const withdraw = () =>
      releaseDedupeKey(environment.store, { run: child, agent: agent.name, dedupe: before.dedupe })
    if (drive.isStopped) await withdraw()
    if (drive.isStopped) break
    const next = buildFallbackChain(agent, remaining)
    const answer = await recorder.reserve(
      {
        type: "child-start",
        call: failedChild.call,
        child,
        agent: agent.name,
        mode: failedChild.mode,
        ...describeChildRights(drive, event),
        fallbackOf: run,
        ...(next.length > 0 && { fallback: next }),
        ...(skipped.length > 0 && { skipped }),
      },
      { spawns: 1 },
    )
    if (answer === "ok") {
      await createChildRun(drive, event)
      dispatchChild(drive, child)
      return
    }
    await withdraw()
    skipped.push({
      agent: name,
      reason: `the limit of subagent runs in this tree is reached (${answer.message})`,
    })
  }
  // If this process merely lost the run, the next owner tries the next agent.
  if (drive.isStopped && !drive.state.stop) return
  await recorder.record({ type: "fallback-end", child: run, ...(skipped.length > 0 && { skipped }) })
}

/** After a restart: the first event of a fallback that was recorded and not created. */
export async function resumeFallback(
  drive: Drive,
  { run, agent, call, fallback, fallbackOf = "" }: Child,
): Promise<{ event: RunEvent } | { problem: string }> {
  const before = await readRunStart(drive.environment.store, fallbackOf)
  const after = { call, ...(fallback && { fallback }) }
  const first = await beginFallback(drive, { child: run, name: agent, after, fallbackOf, before })
  return first === "tried" ? { problem: `Agent "${agent}" was tried already.` } : first
}

/** The agents that are tried if this one fails, too: first its own fallbacks, then the remaining ones. */
export const buildFallbackChain = (
  { fallback = [] }: Agent,
  remaining: readonly string[],
): readonly string[] => [...new Set([...fallback, ...remaining])]

async function beginFallback(
  drive: Drive,
  {
    child,
    name,
    after,
    fallbackOf,
    before,
  }: {
    readonly child: string
    readonly name: string
    readonly after: Pick<Child, "call" | "fallback"> & Partial<Pick<Child, "agent">>
    readonly fallbackOf: string
    readonly before: RunStart
  },
): Promise<{ event: RunEvent; agent: Agent } | { problem: string } | "tried"> {
  const { state, environment, definition } = drive
  const { tool, timeout, tried = [] } = after.fallback ?? { tool: "Agent" }
  const agent = lookUpAgent(drive, { tool }, name)
  if ("problem" in agent) return agent
  if (agent.name === after.agent || tried.some((other) => other.run && other.agent === agent.name))
    return "tried"
  const deep = findDepthProblem(state.start!, agent)
  if (deep !== undefined) return { problem: deep }
  const accesses = [getAgentAccess(environment.agents, agent.name)]
  if (judge(state.rights, { tool, accesses }).decision === "ask")
    return {
      problem: `agent "${definition.agent.name}" may call it only with approval, and a fallback cannot ask for approval`,
    }
  const { dedupe, continues } = before
  const [hook] = before.spawnedBy?.slice(state.start!.spawnedBy?.length ?? 0) ?? []
  try {
    const event = await withDedupeKey(
      environment.store,
      { run: child, agent: agent.name, dedupe },
      async () =>
        begin(environment, {
          run: child,
          agent,
          task: before.task,
          parent: state,
          definitions: drive.tree.definitions,
          call: after.call,
          fallbackOf,
          ...(await drive.tree.ceiling(state)),
          ...(hook !== undefined && { hook }),
          ...keepRequestedModel(before),
          ...(timeout !== undefined && { limits: { timeout } }),
          ...(continues !== undefined && {
            continues,
            continuedRun: await readEndedRun(environment.store, continues, state.run),
          }),
          ...(dedupe !== undefined && { dedupe }),
        }),
    )
    return { event, agent }
  } catch (error) {
    if (error instanceof CadreError) return { problem: error.message }
    throw error
  }
}

/** A model that the call asked for stays the same. */
export const keepRequestedModel = ({ model: { source, requested } }: RunStart): Pick<Beginning, "model"> =>
  source === "call" && (typeof requested === "string" || requested === null) ? { model: requested } : {}

/** Lets the hooks judge the fallback once, like a call that names the agent. */
async function blockedBy(
  drive: Drive,
  { run, fallback }: Child,
  name: string,
  task: string,
): Promise<{ problem: string } | undefined> {
  if (drive.state.hooks.length === 0) return undefined
  const id = writeFallbackKey(run, name)
  const call: OpenCall = {
    id,
    wire: id,
    tool: fallback!.tool,
    arguments: JSON.stringify({ agent: name, subagent_type: name, prompt: task }),
    accesses: [getAgentAccess(drive.environment.agents, name)],
    kind: "delegation",
    effect: "read",
    status: "asked",
  }
  if (!judgementOn(drive, run, name)) await judgeWithHooks(drive, call, writeFallbackKey(run))
  const { problem } = judgementOn(drive, run, name) ?? { problem: "its hooks were not asked" }
  return problem === undefined ? undefined : { problem }
}

/** The judgement of the hooks, as the log has it. */
const judgementOn = ({ state }: Drive, run: string, name: string) =>
  state.children.find((child) => child.run === run)?.judged?.find(({ agent }) => agent === name)

const isTried = ({ agent, fallback }: Child, name: string): boolean =>
  name === agent || fallback!.tried.some((other) => other.run !== undefined && other.agent === name)
