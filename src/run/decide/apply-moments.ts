import type { ChildStart, HookStart, MomentEnd, MomentHooks, MomentName, Objection } from "../log/event.ts"
import type { Child, ChildReport } from "../state/child.ts"
import { emptyMoments, type Moments, type OpenMoment } from "../state/moment-state.ts"
import { hasTurns, isGate, mayGoOn, readMomentName } from "../state/moments.ts"
import type { InboxNote, RunState } from "../state/state.ts"
import { stopRun } from "../state/stop.ts"
import {
  describeLostHook,
  describeMomentObjection,
  describeUnfinished,
  stopObjectionText,
  writeChildReport,
  writeHookContext,
  writeMomentReport,
} from "../words/prompt.ts"
import { takeStep } from "./apply-step.ts"

/** Folds the events of hooks at moments into the state of a run. */

export function endMoment(previous: RunState, event: MomentEnd & { readonly at: number }): RunState {
  const { id, moment, block, variables, step, warnings } = event
  const withEventWarnings = warnings
    ? { ...previous, warnings: [...(previous.warnings ?? []), ...warnings] }
    : previous
  const state = step ? takeStep(withEventWarnings, id, step) : withEventWarnings
  const isFirst = state.moments?.lastQuestions[moment] !== id
  const next = changeMoments(
    variables ? { ...state, variables: { ...state.variables, ...variables } } : state,
    (moments) => ({
      lastQuestions: { ...moments.lastQuestions, [moment]: id },
      ...(moment === "limit_near" && isFirst && { near: [...moments.near, id] }),
      ...(moment === "after_spawn" && {
        ended: moments.ended.filter(({ run }) => id !== `${moment}:${run}`),
      }),
      commands: moments.commands.filter((command) => command.id !== id),
      open: withSpawns(moments.open, event),
    }),
  )
  if (moment === "stop") return isFirst ? objectToEnd(next, event) : next
  return object(moment === "run_end" ? next : withContext(next, event), event, block, event.at)
}

/** Notes the agents that hooks want after they saw the result of a call. */
export const openSpawns = (state: RunState, of: Pick<MomentEnd, "id" | "moment" | "spawns">): RunState =>
  changeMoments(state, ({ open }) => ({ open: withSpawns(open, of) }))

/** Notes that a hook's command begins. */
export const startCommand = (state: RunState, { call: id, hook }: HookStart): RunState =>
  changeMoments(state, ({ commands }) => ({ commands: [...commands, { id, hook }] }))

/** A child that hooks want has started: the run waits for it, or goes on beside it. */
export const startMomentChild = (state: RunState, { call: id, mode }: ChildStart): RunState =>
  changeOpen(state, id, ({ spawns }) => ({ spawns: spawns.slice(1), waits: mode === "wait" }))

/** A child that hooks wanted has ended. */
export function endMomentChild(
  state: RunState,
  child: Child,
  report: ChildReport,
  key: string,
  at: number,
): RunState {
  const { run, call: id, hook } = child
  const moment = readMomentName(id)!
  if (child.mode === "background") {
    // Hooks are asked at these moments in every turn. If each report caused a turn, the run would never end.
    const passive = moment === "before_model" || moment === "after_model" || !hasTurns(state)
    const text = writeChildReport(child, report)
    return withNote(state, { key, from: run, text, report: true, ...(passive && { passive }) })
  }
  const next = stopWaitingAtMoment(state, id)
  if (report.outcome.type === "completed")
    return withNote(next, { key, from: "runtime", text: writeMomentReport(child, report), passive: true })
  const block = { reason: describeUnfinished(child, report), ...(hook && { hook: hook.hook }) }
  return object(next, { moment, id }, block, at)
}

/** The run no longer waits for a child that hooks want. */
export const stopWaitingAtMoment = (state: RunState, id: string): RunState =>
  changeOpen(state, id, () => ({ waits: false }))

/**
 * Hook commands that were running when the process died are not run again. At a moment that hooks can block, a lost command
 * blocks. At other moments its hook is skipped.
 */
export function resumeMoments(state: RunState, hooks: MomentHooks | undefined, at: number): RunState {
  if (!state.moments && !hooks) return state
  const next = changeMoments(state, (moments) => ({
    hooks: joinHooks(moments.hooks, hooks ?? {}),
    commands: moments.commands.map((command) => ({ ...command, lost: true as const })),
  }))
  const gate = next.moments!.commands.find(({ id }) => isGate(readMomentName(id)!))
  if (!gate) return next
  const { id, hook } = gate
  const block = { hook, reason: describeLostHook(hook), final: true } as const
  return endMoment(next, { type: "moment-end", moment: readMomentName(id)!, id, block, at })
}

/** A run that is told to stop while it ends does not wait for its `run_end` hooks. */
export const skipEndHooks = (state: RunState): RunState =>
  state.moments && state.stop
    ? changeMoments(state, ({ lastQuestions }) => ({
        lastQuestions: { ...lastQuestions, run_end: "run_end" },
      }))
    : state

/** Applies a block. At `run_start` and `before_model` it ends the run. At other moments the model is told. */
function object(
  state: RunState,
  { moment, id }: Pick<MomentEnd, "moment" | "id">,
  block: Objection | undefined,
  at: number,
): RunState {
  if (!block || moment === "run_end") return state
  if (moment === "run_start" || moment === "before_model")
    return stopRun(state, { type: "denied", reason: describeMomentObjection(moment, block) }, at)
  return withNote(state, { ...noteOf(id, "block", writeHookContext(block.reason)), passive: true })
}

/** The run goes on where hooks object to its end or want agents to work, and where its limits let it. */
function objectToEnd(state: RunState, event: MomentEnd): RunState {
  const { id, block, spawns = [] } = event
  const isWanted = block ? !block.final : spawns.length > 0
  if (!isWanted || !mayGoOn(state)) return changeMoments(state, () => ({ objection: block, open: [] }))
  const next = changeMoments(withContext(state, event), ({ rounds }) => ({
    objection: undefined,
    goesOn: state.turn,
    rounds: rounds + 1,
  }))
  return block ? withNote(next, noteOf(id, "block", stopObjectionText(block.reason))) : next
}

/** Text from hooks joins the model's next turn, but does not cause one. */
const withContext = (state: RunState, { id, context = [] }: MomentEnd): RunState =>
  context.reduce<RunState>(
    (next, text, index) => withNote(next, { ...noteOf(id, index, writeHookContext(text)), passive: true }),
    state,
  )

const noteOf = (id: string, of: string | number, text: string): InboxNote => ({
  key: `hook:${id}:${of}`,
  from: "runtime",
  text,
})

const withNote = (state: RunState, note: InboxNote): RunState => ({ ...state, inbox: [...state.inbox, note] })

function withSpawns(
  open: readonly OpenMoment[],
  { id, moment, spawns = [] }: Pick<MomentEnd, "id" | "moment" | "spawns">,
): readonly OpenMoment[] {
  const others = open.filter((other) => other.id !== id)
  return spawns.length > 0 ? [...others, { id, moment, spawns, waits: false }] : others
}

const changeOpen = (
  state: RunState,
  id: string,
  change: (open: OpenMoment) => Partial<OpenMoment>,
): RunState =>
  changeMoments(state, ({ open }) => ({
    open: open
      .map((one) => (one.id === id ? { ...one, ...change(one) } : one))
      .filter(({ spawns, waits }) => waits || spawns.length > 0),
  }))

const changeMoments = (state: RunState, change: (moments: Moments) => Partial<Moments>): RunState => {
  const moments = state.moments ?? emptyMoments
  return { ...state, moments: { ...moments, ...change(moments) } }
}

function joinHooks(earlierHooks: MomentHooks, newHooks: MomentHooks): MomentHooks {
  const all = Object.entries(newHooks).map(([moment, names]) => [
    moment,
    [...new Set([...(earlierHooks[moment as MomentName] ?? []), ...names])],
  ])
  return { ...earlierHooks, ...Object.fromEntries(all) }
}
