import type { Agent } from "../../agent/agent.ts"
import type { Delegation } from "../../agent/tool.ts"
import { CadreError, knownNames, messageOf } from "../../ground/errors.ts"
import { begin } from "../begin/begin.ts"
import { endedRun } from "../begin/continuing.ts"
import { refusal } from "../begin/start-problems.ts"
import { refusedVariables } from "../begin/variables.ts"
import type { Action } from "../decide/action.ts"
import { letGo, whileHeld } from "../log/dedupe.ts"
import type { ChildStart, Fact, HookSpawn, RunEvent } from "../log/event.ts"
import { belowOf, rootOf } from "../log/id.ts"
import { isDelegation } from "../rights/accesses.ts"
import type { Child } from "../state/child.ts"
import { momentOf } from "../state/moments.ts"
import type { OpenCall } from "../state/open-call.ts"
import { callOf } from "../state/set-call.ts"
import { toolGone, unstarted } from "../words/prompt.ts"
import { activate } from "./activate.ts"
import type { Drive } from "./drive-view.ts"
import { resumeFallback } from "./fall-back.ts"
import { lookUp } from "./look-up-agent.ts"
import { lostChild } from "./lost-children.ts"
import { standIn } from "./moment-call.ts"
import { create, rightsNote, sendOff, tooDeep } from "./send-off.ts"
import { checkArguments } from "./tool-call.ts"

/**
 * Hands a call to a child: records `child-start`, creates the child, dispatches its id. Nothing here waits for it;
 * its end comes back as a letter. What makes the child impossible is a result the model can read.
 */
export async function spawn(drive: Drive, call: OpenCall): Promise<void> {
  const { recorder } = drive
  const hook = call.spawns?.[0]
  const fail = (text: string, warning?: string) =>
    recorder.record(hook ? unspawned(call, hook, text) : failed(call, text, warning))
  const delegation = await readDelegation(drive, call, hook)
  if ("problem" in delegation) return fail(delegation.problem)
  const taken = hook ? undefined : takenOn(drive, call, delegation)
  if (taken) return activate(drive, call, taken, delegation)
  const child = `${drive.state.run}.${drive.numberChild()}`
  const first = await firstEvent(drive, child, call, delegation, hook)
  if ("problem" in first) return fail(first.problem, first.warning)
  const { dedupe } = delegation
  const mode = modeOf(drive, delegation, first.agent, hook)
  const { fallback } = first
  const agent = first.agent.name
  const withdraw = () => letGo(drive.environment.store, { run: child, agent, dedupe })
  if (drive.stopped) return withdraw()
  const answer = await recorder.reserve(
    {
      type: "child-start",
      call: call.id,
      child,
      agent,
      mode,
      ...rightsNote(drive, first.event),
      ...fallback,
      ...(hook && { hook }),
    },
    { spawns: 1 },
  )
  if (answer !== "ok") {
    await withdraw()
    const reached = `The limit of subagent runs in this tree is reached (${answer.message}). Cannot spawn '${agent}'.`
    if (drive.state.start!.kind === "agent" || hook) return fail(`${reached} Finish with your own tools.`)
    return recorder.record(
      unpaid(call, `${reached} Give the root a higher \`maxSpawns\`, or have fewer runs.`),
    )
  }
  await create(drive, first.event)
  sendOff(drive, child)
}

/** A hook says how its own spawns run; a run that no model drives, such as a pipeline, could not read a report that comes later. */
function modeOf(
  { state }: Drive,
  { mode }: Delegation,
  { background }: Agent,
  hook: HookSpawn | undefined,
): ChildStart["mode"] {
  const isAlwaysBackground = background === true && !hook && state.start!.kind === "agent"
  return mode === "background" || isAlwaysBackground ? "background" : "wait"
}

/** The agent that the run itself is to be, where the call or its definition says so. */
function takenOn(
  drive: Drive,
  call: OpenCall,
  { agent: name, mode, continues }: Delegation,
): Agent | undefined {
  if (continues !== undefined && mode !== "self") return undefined
  const agent = lookUp(drive, call, name)
  return "problem" in agent || (mode !== "self" && agent.mode !== "self") ? undefined : agent
}

/** What a hook wants at a moment becomes a child, as if a call had asked for it. */
export async function spawnAt(
  drive: Drive,
  { open, spawn: hook, refused }: Extract<Action, { type: "spawn-at" }>,
): Promise<void> {
  const call = standIn(open.id, open.spawns)
  return refused === undefined
    ? spawn(drive, call)
    : drive.recorder.record(unspawned(call, hook, `${refused}.`))
}

/** After a restart: whatever a child got to, it is created if it was not, and goes on. */
export async function resumeChildren(drive: Drive): Promise<void> {
  const { state, tree } = drive
  for (const child of state.children) {
    if (child.failed) continue
    const call =
      callOf(state, child.call) ??
      (momentOf(child.call) && !child.fallbackOf ? standIn(child.call) : undefined)
    const isGone = await isMissing(drive, child.run)
    if (isGone && numberOfChild(child.run) <= (state.lost?.children ?? 0)) {
      tree.post(state.run, `${child.run}:end`, lostChild(child.run))
      continue
    }
    if ((call || child.fallbackOf) && isGone) {
      const first = await firstAgain(drive, child, call)
      if ("problem" in first) {
        // The chain goes on from a fallback that cannot begin any more.
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
      await create(drive, first.event)
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

/** Nobody reads it who could do the work in another way: the limit is what the run ends with. */
const unpaid = (call: OpenCall, text: string): Fact => ({
  type: "tool-end",
  call: call.id,
  result: { status: "error", text, limit: "spawns" },
})

const failed = (call: OpenCall, text: string, warning?: string): Fact => ({
  type: "tool-end",
  call: call.id,
  result: { status: "error", text },
  ...(warning !== undefined && { warnings: [warning] }),
})

/** What a hook could not hand over is not run either, unless it was only to be done beside it. */
function unspawned(call: OpenCall, { hook, agent, mode }: HookSpawn, text: string): Fact {
  const moment = momentOf(call.id)
  if (moment) {
    const { id, spawns } = call
    const block = mode === "before" && { block: { hook, reason: unstarted(agent, text) } }
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
    return failed(
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
  if (tool?.kind !== "delegation") return { problem: toolGone(call.tool) }
  const checked = await checkArguments(drive, call)
  if ("problem" in checked) return checked
  try {
    const delegation = await tool.delegate(checked.value)
    if (isDelegation(delegation)) return delegation
    return { problem: `The tool ${call.tool} named no agent or no task, so nothing was started.` }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

type Fallback = Pick<ChildStart, "fallback" | "timeout">

/** The lookup comes before the depth check, so that a wrong name is always told as one. */
async function firstEvent(
  drive: Drive,
  child: string,
  call: OpenCall,
  delegation: Delegation,
  hook: HookSpawn | undefined,
): Promise<{ event: RunEvent; agent: Agent; fallback?: Fallback } | Unstarted> {
  const { state, environment, tree } = drive
  const continued = await continuedBy(drive, delegation)
  if (continued && "problem" in continued) return continued
  const agent = hook ? named(drive, hook.agent) : lookUp(drive, call, delegation.agent ?? continued?.agent)
  if ("problem" in agent) return agent
  const problem = tooDeep(state.start!, agent)
  if (problem !== undefined) return { problem }
  const { variables } = delegation
  // What a hook sets stands in a file that a person trusts, as the definition does.
  const settable = hook ? Object.keys(variables ?? {}) : agent.callVariables
  const refused = variables && refusedVariables(environment, agent.name, settable, variables)
  if (refused !== undefined) return { problem: refused }
  try {
    const { model, timeout, dedupe } = delegation
    const beginning = {
      run: child,
      agent,
      task: delegation.task,
      parent: state,
      kept: drive.tree.kept,
      call: call.id,
      ...(await tree.ceiling(state)),
      ...(continued && {
        continues: continued.run,
        ended: await endedRun(environment.store, continued.run, state.run),
      }),
      ...(model !== undefined && { model }),
      ...(variables && { variables }),
      ...(hook && { hook: hook.hook }),
      ...(timeout !== undefined && { limits: { timeout } }),
      ...(dedupe !== undefined && { dedupe }),
    }
    const event = await whileHeld(environment.store, { run: child, agent: agent.name, dedupe }, () =>
      begin(environment, beginning).catch(async (error) => {
        throw await refusal(environment, beginning, error)
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

/** Why there is no child. The warning is for whoever reads the result: the model did nothing wrong. */
interface Unstarted {
  readonly problem: string
  readonly warning?: string
}

function named({ environment }: Drive, name: string): Agent | { problem: string } {
  try {
    return environment.agents.get(name)
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** The run to go on with: one below the caller that has ended. */
async function continuedBy(
  { environment, state }: Drive,
  { continues }: Delegation,
): Promise<{ run: string; agent: string } | { problem: string } | undefined> {
  if (continues === undefined) return undefined
  const run = belowOf(state.run, continues)
  const ended: string[] = []
  for await (const head of environment.store.list({ root: rootOf(state.run) })) {
    if (!head.run.startsWith(`${state.run}.`)) continue
    if (head.run === run && head.status === "ended") return { run, agent: head.agent }
    if (head.run === run)
      return { problem: `Run ${run} has not ended: send it a message instead of continuing it.` }
    if (head.status === "ended") ended.push(head.run)
  }
  return {
    problem: `There is no run ${JSON.stringify(continues)} of yours to continue. ${knownNames(continues, ended)}`,
  }
}
