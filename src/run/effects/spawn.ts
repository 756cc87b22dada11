import type { Agent } from "../../agent/agent.ts"
import type { Delegation } from "../../agent/tool.ts"
import { CadreError, describeThrown, listKnownNames } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { readEndedRun } from "../begin/continue-run.ts"
import { refuseStart } from "../begin/start-problems.ts"
import { findRefusedVariable } from "../begin/variables.ts"
import type { Action } from "../decide/action.ts"
import { releaseDedupeKey, withDedupeKey } from "../log/dedupe.ts"
import type { ChildStart, Fact, HookSpawn, RunEvent } from "../log/event.ts"
import { getRootRun, toFullRunId } from "../log/id.ts"
import { isDelegation } from "../rights/accesses.ts"
import type { Child } from "../state/child.ts"
import { readMomentName } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { findCall } from "../state/set-call.ts"
import { describeToolGone, describeUnstarted } from "../words/prompt.ts"
import { activate } from "./activate.ts"
import { findDecisionCause } from "./decided-by.ts"
import type { Drive } from "./drive-view.ts"
import { resumeFallback } from "./fall-back.ts"
import { lookUpAgent } from "./look-up-agent.ts"
import { createLostChildEnd } from "./lost-children.ts"
import { createStandInCall } from "./moment-call.ts"
import { createChildRun, describeChildRights, dispatchChild, findDepthProblem } from "./send-off.ts"
import { checkArguments } from "./tool-call.ts"

/**
 * Hands a call to a child: records `child-start`, creates the child, dispatches its id. Nothing here waits
 * for the child; its end comes back as a letter. If the child cannot start, the model gets the reason as the
 * result.
 */
export async function spawn(drive: Drive, call: OpenCall): Promise<void> {
  const { recorder } = drive
  const hook = call.spawns?.[0]
  const fail = (text: string, warning?: string) =>
    recorder.record(hook ? spawnFailure(call, hook, text) : failCall(call, text, warning))
  const delegation = await readDelegation(drive, call, hook)
  if ("problem" in delegation) return fail(delegation.problem)
  const activated = hook ? undefined : agentToActivate(drive, call, delegation)
  if (activated) return activate(drive, call, activated, delegation)
  const child = `${drive.state.run}.${drive.numberChild()}`
  const first = await firstEvent(drive, child, call, delegation, hook)
  if ("problem" in first) return fail(first.problem, first.warning)
  const { dedupe } = delegation
  const mode = modeOf(drive, delegation, first.agent, hook)
  const { fallback } = first
  const agent = first.agent.name
  const by = hook ? undefined : await findDecisionCause(drive, call)
  const withdraw = () => releaseDedupeKey(drive.environment.store, { run: child, agent, dedupe })
  if (drive.isStopped) return withdraw()
  const answer = await recorder.reserve(
    {
      type: "child-start",
      call: call.id,
      ...(by && { by }),
      child,
      agent,
      mode,
      ...describeChildRights(drive, first.event),
      ...fallback,
      ...(hook && { hook }),
    },
    { spawns: 1 },
  )
  if (answer !== "ok") {
    await withdraw()
    const limitReached = `The limit of subagent runs in this tree is reached (${answer.message}). Cannot spawn '${agent}'.`
    if (drive.state.start!.kind === "agent" || hook)
      return fail(`${limitReached} Finish with your own tools.`)
    return recorder.record(
      limitResult(call, `${limitReached} Give the root a higher \`maxSpawns\`, or start fewer runs.`),
    )
  }
  await createChildRun(drive, first.event)
  dispatchChild(drive, child)
}

/**
 * A hook chooses the mode of its own spawns. A run without a model, such as a pipeline, could not read a
 * report that comes later.
 */
function modeOf(
  { state }: Drive,
  { mode }: Delegation,
  { background }: Agent,
  hook: HookSpawn | undefined,
): ChildStart["mode"] {
  const isAlwaysBackground = background === true && !hook && state.start!.kind === "agent"
  return mode === "background" || isAlwaysBackground ? "background" : "wait"
}

/** The agent that the run itself activates, where the call or the agent's definition says so. */
function agentToActivate(
  drive: Drive,
  call: OpenCall,
  { agent: name, mode, continues }: Delegation,
): Agent | undefined {
  if (continues !== undefined && mode !== "self") return undefined
  const agent = lookUpAgent(drive, call, name)
  return "problem" in agent || (mode !== "self" && agent.mode !== "self") ? undefined : agent
}

/** Starts a child for a hook at a moment, as if a call had asked for it. */
export async function spawnAt(
  drive: Drive,
  { open, spawn: hook, refused }: Extract<Action, { type: "spawn-at" }>,
): Promise<void> {
  const call = createStandInCall(open.id, open.spawns)
  return refused === undefined
    ? spawn(drive, call)
    : drive.recorder.record(spawnFailure(call, hook, `${refused}.`))
}

/** After a restart: every child is created if it was not, and goes on. */
export async function resumeChildren(drive: Drive): Promise<void> {
  const { state, tree } = drive
  for (const child of state.children) {
    if (child.failed) continue
    const call =
      findCall(state, child.call) ??
      (readMomentName(child.call) && !child.fallbackOf ? createStandInCall(child.call) : undefined)
    const isGone = await isMissing(drive, child.run)
    if (isGone && numberOfChild(child.run) <= (state.lost?.children ?? 0)) {
      tree.post(state.run, `${child.run}:end`, createLostChildEnd(child.run))
      continue
    }
    if ((call || child.fallbackOf) && isGone) {
      const first = await firstAgain(drive, child, call)
      if ("problem" in first) {
        // The chain goes on from a fallback that can no longer begin.
        const type = child.fallbackOf === undefined ? "denied" : "failed"
        const outcome = { type, reason: first.problem } as const
        tree.post(state.run, `${child.run}:end`, {
          type: "child-end",
          child: child.run,
          outcome,
          output: "",
          usage: {},
        })
        continue
      }
      await createChildRun(drive, first.event)
    }
    tree.dispatch(child.run)
  }
}

async function firstAgain(
  drive: Drive,
  child: Child,
  call: OpenCall | undefined,
): Promise<{ event: RunEvent } | { problem: string }> {
  if (child.fallbackOf !== undefined || !call) return resumeFallback(drive, child)
  const { hook } = child
  const delegation = await readDelegation(drive, call, hook)
  return "problem" in delegation ? delegation : firstEvent(drive, child.run, call, delegation, hook)
}

const numberOfChild = (run: string): number => Number(run.slice(run.lastIndexOf(".") + 1))

async function isMissing(drive: Drive, run: string): Promise<boolean> {
  for await (const _ of drive.environment.store.read(run)) return false
  return true
}

/** No model reads this result and could do the work in another way. So the run ends with the limit. */
const limitResult = (call: OpenCall, text: string): Fact => ({
  type: "tool-end",
  call: call.id,
  result: { status: "error", text, limit: "spawns" },
})

const failCall = (call: OpenCall, text: string, warning?: string): Fact => ({
  type: "tool-end",
  call: call.id,
  result: { status: "error", text },
  ...(warning !== undefined && { warnings: [warning] }),
})

/**
 * The call is not run if a hook could not hand it over, unless the spawn was only to run in the background.
 */
function spawnFailure(call: OpenCall, { hook, agent, mode }: HookSpawn, text: string): Fact {
  const moment = readMomentName(call.id)
  if (moment) {
    const { id, spawns } = call
    const block = mode === "before" && { block: { hook, reason: describeUnstarted(agent, text) } }
    const problems = [`${hook}: ${agent} could not start: ${text}`]
    return {
      type: "moment-end",
      moment,
      id,
      ...block,
      spawns: spawns!.slice(1),
      problems,
      warnings: problems,
    }
  }
  if (mode !== "background")
    return failCall(
      call,
      `This ${call.tool} call was not run: a hook hands it to the agent ${agent}, which could not start. ${text}`,
    )
  return {
    type: "hook-end",
    call: call.id,
    verdict: { type: "pass" },
    spawns: call.spawns!.slice(1),
    problems: [`${hook}: ${text}`],
    warnings: [`${hook}: ${agent} could not start: ${text}`],
  }
}

async function readDelegation(
  drive: Drive,
  call: OpenCall,
  hook: HookSpawn | undefined,
): Promise<Delegation | { problem: string }> {
  if (hook)
    return {
      agent: hook.agent,
      task: hook.task,
      mode: hook.mode === "background" ? "background" : "wait",
      ...(hook.variables && { variables: hook.variables }),
    }
  const tool = drive.environment.tools.get(call.tool)
  if (tool?.kind !== "delegation") return { problem: describeToolGone(call.tool) }
  const checked = await checkArguments(drive, call)
  if ("problem" in checked) return checked
  try {
    const delegation = await tool.delegate(checked.value)
    if (isDelegation(delegation)) return delegation
    return { problem: `The tool ${call.tool} named no agent or no task, so nothing was started.` }
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

type Fallback = Pick<ChildStart, "fallback" | "timeout">

/**
 * The first event of a child. The agent is looked up before the depth check, so that a wrong name is always
 * reported as such.
 */
async function firstEvent(
  drive: Drive,
  child: string,
  call: OpenCall,
  delegation: Delegation,
  hook: HookSpawn | undefined,
): Promise<{ event: RunEvent; agent: Agent; fallback?: Fallback } | Unstarted> {
  const { state, environment, tree } = drive
  const continued = await findContinued(drive, delegation)
  if (continued && "problem" in continued) return continued
  const agent = hook
    ? findAgent(drive, hook.agent)
    : lookUpAgent(drive, call, delegation.agent ?? continued?.agent)
  if ("problem" in agent) return agent
  const problem = findDepthProblem(state.start!, agent)
  if (problem !== undefined) return { problem }
  const { variables } = delegation
  // A hook's variables are written in a file that a person trusts, like the definition.
  const settable = hook ? Object.keys(variables ?? {}) : agent.callVariables
  const variablesRefusal = variables && findRefusedVariable(environment, agent.name, settable, variables)
  if (variablesRefusal !== undefined) return { problem: variablesRefusal }
  try {
    const { model, timeout, dedupe } = delegation
    const beginning = {
      run: child,
      agent,
      task: delegation.task,
      parent: state,
      definitions: drive.tree.definitions,
      call: call.id,
      ...(await tree.ceiling(state)),
      ...(continued && {
        continues: continued.run,
        continuedRun: await readEndedRun(environment.store, continued.run, state.run),
      }),
      ...(model !== undefined && { model }),
      ...(variables && { variables }),
      ...(hook && { hook: hook.hook }),
      ...(timeout !== undefined && { limits: { timeout } }),
      ...(dedupe !== undefined && { dedupe }),
    }
    const event = await withDedupeKey(environment.store, { run: child, agent: agent.name, dedupe }, () =>
      begin(environment, beginning).catch(async (error) => {
        throw await refuseStart(environment, beginning, error)
      }),
    )
    const chain = agent.fallback?.length && {
      fallback: agent.fallback,
      ...(timeout !== undefined && { timeout }),
    }
    return { event, agent, ...(chain && { fallback: chain }) }
  } catch (error) {
    if (!(error instanceof CadreError)) throw error
    const { message } = error
    const subject = `Agent ${JSON.stringify(agent.name)}`
    return {
      problem: `Cannot spawn '${agent.name}': ${message}`,
      warning: message.startsWith(subject) ? message : `${subject} was not started: ${message}`,
    }
  }
}

/**
 * The reason why there is no child. The warning is for readers of the run's result, because the model did
 * nothing wrong.
 */
interface Unstarted {
  readonly problem: string
  readonly warning?: string
}

function findAgent({ environment }: Drive, name: string): Agent | { problem: string } {
  try {
    return environment.agents.get(name)
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

/** The ended run below the caller that the child continues. */
async function findContinued(
  { environment, state }: Drive,
  { continues }: Delegation,
): Promise<{ run: string; agent: string } | { problem: string } | undefined> {
  if (continues === undefined) return undefined
  const run = toFullRunId(state.run, continues)
  const ended: string[] = []
  for await (const head of environment.store.list({ root: getRootRun(state.run) })) {
    if (!head.run.startsWith(`${state.run}.`)) continue
    if (head.run === run && head.status === "ended") return { run, agent: head.agent }
    if (head.run === run)
      return { problem: `Run ${run} has not ended: send it a message instead of continuing it.` }
    if (head.status === "ended") ended.push(head.run)
  }
  return {
    problem: `You have no run ${JSON.stringify(continues)} to continue. ${listKnownNames(continues, ended)}`,
  }
}
