import type { Agent } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { endedRun } from "../begin/continuing.ts"
import { startOf } from "../begin/load.ts"
import { letGo, whileHeld } from "../log/dedupe.ts"
import type { RunEvent, Tried } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { fallbackKey } from "../log/id.ts"
import type { Beginning } from "../ports/beginning.ts"
import { agentAccess } from "../rights/agent-access.ts"
import { judge } from "../rights/rights.ts"
import type { Child } from "../state/child.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { judgeHooks } from "./hook-call.ts"
import { lookUp } from "./look-up-agent.ts"
import { create, rightsNote, sendOff, tooDeep } from "./send-off.ts"

/**
 * Hands what a child failed at to the next agent of its chain, as another child of the same call. Where there is none that
 * can begin, its report is what the call came to.
 */
export async function fallBack(drive: Drive, run: string): Promise<void> {
  const { recorder, environment } = drive
  const failed = drive.state.children.find((child) => child.run === run)
  if (!failed?.failed || !failed.fallback) return
  const skipped: Tried[] = []
  const left = [...failed.fallback.next]
  const before = await startOf(environment.store, run)
  const child = `${drive.state.run}.${drive.numberChild()}`
  for (let name = left.shift(); name !== undefined && !drive.stopped; name = left.shift()) {
    if (isTried(failed, name)) continue
    const blocked = await blockedBy(drive, failed, name, before.task)
    const first =
      blocked ?? (await beginFallback(drive, { child, name, after: failed, fallbackOf: run, before }))
    if (first === "tried") continue
    if ("problem" in first) {
      skipped.push({ agent: name, reason: first.problem })
      continue
    }
    const { agent, event } = first
    const withdraw = () => letGo(environment.store, { run: child, agent: agent.name, dedupe: before.dedupe })
    if (drive.stopped) await withdraw()
    if (drive.stopped) break
    const next = nextOf(agent, left)
    const answer = await recorder.reserve(
      {
        type: "child-start",
        call: failed.call,
        child,
        agent: agent.name,
        mode: failed.mode,
        ...rightsNote(drive, event),
        fallbackOf: run,
        ...(next.length > 0 && { fallback: next }),
        ...(skipped.length > 0 && { skipped }),
      },
      { spawns: 1 },
    )
    if (answer === "ok") {
      await create(drive, event)
      sendOff(drive, child)
      return
    }
    await withdraw()
    skipped.push({
      agent: name,
      reason: `the limit of subagent runs in this tree is reached (${answer.message})`,
    })
  }
  // Whoever merely no longer drives the run must leave the next agent to who does.
  if (drive.stopped && !drive.state.stop) return
  await recorder.record({ type: "fallback-end", child: run, ...(skipped.length > 0 && { skipped }) })
}

/** After a restart: the first event of a fallback that was recorded and not created. */
export async function resumeFallback(
  drive: Drive,
  { run, agent, call, fallback, fallbackOf = "" }: Child,
): Promise<{ event: RunEvent } | { problem: string }> {
  const before = await startOf(drive.environment.store, fallbackOf)
  const after = { call, ...(fallback && { fallback }) }
  const first = await beginFallback(drive, { child: run, name: agent, after, fallbackOf, before })
  return first === "tried" ? { problem: `Agent "${agent}" was tried already.` } : first
}

/** What is tried next where this one fails, too: those it names, and then those that were left. */
export const nextOf = ({ fallback = [] }: Agent, left: readonly string[]): readonly string[] => [
  ...new Set([...fallback, ...left]),
]

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
  const agent = lookUp(drive, { tool }, name)
  if ("problem" in agent) return agent
  if (agent.name === after.agent || tried.some((other) => other.run && other.agent === agent.name))
    return "tried"
  const deep = tooDeep(state.start!, agent)
  if (deep !== undefined) return { problem: deep }
  const accesses = [agentAccess(environment.agents, agent.name)]
  if (judge(state.rights, { tool, accesses }).decision === "ask")
    return {
      problem: `a person would have to be asked whether "${definition.agent.name}" may call it, and nobody is asked for a fallback`,
    }
  const { dedupe, continues } = before
  const [hook] = before.spawnedBy?.slice(state.start!.spawnedBy?.length ?? 0) ?? []
  try {
    const event = await whileHeld(environment.store, { run: child, agent: agent.name, dedupe }, async () =>
      begin(environment, {
        run: child,
        agent,
        task: before.task,
        parent: state,
        kept: drive.tree.kept,
        call: after.call,
        fallbackOf,
        ...(await drive.tree.ceiling(state)),
        ...(hook !== undefined && { hook }),
        ...modelOf(before),
        ...(timeout !== undefined && { limits: { timeout } }),
        ...(continues !== undefined && {
          continues,
          ended: await endedRun(environment.store, continues, state.run),
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

/** The model that a call asked for is asked for still. */
export const modelOf = ({ model: { source, requested } }: RunStart): Pick<Beginning, "model"> =>
  source === "call" && (typeof requested === "string" || requested === null) ? { model: requested } : {}

/** The hooks judge it once, as they judge a call that names the agent. */
async function blockedBy(
  drive: Drive,
  { run, fallback }: Child,
  name: string,
  task: string,
): Promise<{ problem: string } | undefined> {
  if (drive.state.hooks.length === 0) return undefined
  const id = fallbackKey(run, name)
  const made: OpenCall = {
    id,
    wire: id,
    tool: fallback!.tool,
    arguments: JSON.stringify({ agent: name, subagent_type: name, prompt: task }),
    accesses: [agentAccess(drive.environment.agents, name)],
    kind: "delegation",
    effect: "read",
    status: "asked",
  }
  if (!judgedOf(drive, run, name)) await judgeHooks(drive, made, fallbackKey(run))
  const { problem } = judgedOf(drive, run, name) ?? { problem: "its hooks were not asked" }
  return problem === undefined ? undefined : { problem }
}

/** What the log says that hooks made of it. */
const judgedOf = ({ state }: Drive, run: string, name: string) =>
  state.children.find((child) => child.run === run)?.judged?.find(({ agent }) => agent === name)

const isTried = ({ agent, fallback }: Child, name: string): boolean =>
  name === agent || fallback!.tried.some((other) => other.run !== undefined && other.agent === name)
