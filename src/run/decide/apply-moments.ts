import type { ChildStart, HookStart, MomentEnd, MomentHooks, MomentName, Objection } from "../log/event.ts"
import type { Child, Report } from "../state/child.ts"
import { type Moments, noMoments, type OpenMoment } from "../state/moment-state.ts"
import { hasTurns, isGate, mayGoOn, momentOf } from "../state/moments.ts"
import type { Note, RunState } from "../state/state.ts"
import { stop } from "../state/stop.ts"
import {
  childReport,
  hookContext,
  hookLost,
  momentReport,
  notYet,
  objectionText,
  unfinished,
} from "../words/prompt.ts"
import { takeStep } from "./apply-step.ts"

/** What the events of hooks at moments make of a run. */

export function endMoment(before: RunState, event: MomentEnd & { readonly at: number }): RunState {
  const { id, moment, block, variables, step, warnings } = event
  const told = warnings ? { ...before, warnings: [...(before.warnings ?? []), ...warnings] } : before
  const state = step ? takeStep(told, id, step) : told
  const isFirst = state.moments?.asked[moment] !== id
  const next = changeMoments(
    variables ? { ...state, variables: { ...state.variables, ...variables } } : state,
    (moments) => ({
      asked: { ...moments.asked, [moment]: id },
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

/** Hooks that saw the result of a call want work done by others. */
export const openSpawns = (state: RunState, of: Pick<MomentEnd, "id" | "moment" | "spawns">): RunState =>
  changeMoments(state, ({ open }) => ({ open: withSpawns(open, of) }))

/** A command of a hook begins. */
export const startCommand = (state: RunState, { call: id, hook }: HookStart): RunState =>
  changeMoments(state, ({ commands }) => ({ commands: [...commands, { id, hook }] }))

/** A child that hooks want is there: the run waits for it, or goes on beside it. */
export const spawnedAt = (state: RunState, { call: id, mode }: ChildStart): RunState =>
  changeOpen(state, id, ({ spawns }) => ({ spawns: spawns.slice(1), waits: mode === "wait" }))

/** A child that hooks wanted has ended. */
export function heardAt(state: RunState, child: Child, report: Report, key: string, at: number): RunState {
  const { run, call: id, hook } = child
  const moment = momentOf(id)!
  if (child.mode === "background") {
    // Hooks are asked at these every turn: their reports alone would have the run go on for ever.
    const passive = moment === "before_model" || moment === "after_model" || !hasTurns(state)
    const text = childReport(child, report)
    return withNote(state, { key, from: run, text, report: true, ...(passive && { passive }) })
  }
  const next = letGo(state, id)
  if (report.outcome.type === "completed")
    return withNote(next, { key, from: "runtime", text: momentReport(child, report), passive: true })
  const block = { reason: unfinished(child, report), ...(hook && { hook: hook.hook }) }
  return object(next, { moment, id }, block, at)
}

/** It waits for a child no longer. */
export const letGo = (state: RunState, id: string): RunState =>
  changeOpen(state, id, () => ({ waits: false }))

/**
 * Commands that were at work belonged to a process that is gone, and are not run again. Where one was to judge, it blocks;
 * elsewhere its hook is passed over.
 */
export function resumeMoments(state: RunState, hooks: MomentHooks | undefined, at: number): RunState {
  if (!state.moments && !hooks) return state
  const next = changeMoments(state, (moments) => ({
    hooks: joined(moments.hooks, hooks ?? {}),
    commands: moments.commands.map((command) => ({ ...command, lost: true as const })),
  }))
  const gate = next.moments!.commands.find(({ id }) => isGate(momentOf(id)!))
  if (!gate) return next
  const { id, hook } = gate
  const block = { hook, reason: hookLost(hook), final: true } as const
  return endMoment(next, { type: "moment-end", moment: momentOf(id)!, id, block, at })
}

/** Whoever asks a run to stop that has come to its end does not wait for what hooks make of that. */
export const cutShort = (state: RunState): RunState =>
  state.moments && state.stop
    ? changeMoments(state, ({ asked }) => ({ asked: { ...asked, run_end: "run_end" } }))
    : state

/** What a block means: the run does not start, or does not ask its model; elsewhere the model is told. */
function object(
  state: RunState,
  { moment, id }: Pick<MomentEnd, "moment" | "id">,
  block: Objection | undefined,
  at: number,
): RunState {
  if (!block || moment === "run_end") return state
  if (moment === "run_start" || moment === "before_model")
    return stop(state, { type: "denied", reason: objectionText(moment, block) }, at)
  return withNote(state, { ...noteOf(id, "block", hookContext(block.reason)), passive: true })
}

/** It goes on where hooks have something against its end, or work for others, and where it can. */
function objectToEnd(state: RunState, event: MomentEnd): RunState {
  const { id, block, spawns = [] } = event
  const isWanted = block ? !block.final : spawns.length > 0
  if (!isWanted || !mayGoOn(state)) return changeMoments(state, () => ({ objection: block, open: [] }))
  const next = changeMoments(withContext(state, event), ({ rounds }) => ({
    objection: undefined,
    goesOn: state.turn,
    rounds: rounds + 1,
  }))
  return block ? withNote(next, noteOf(id, "block", notYet(block.reason))) : next
}

/** What hooks tell the model joins its next turn, and is no reason for one. */
const withContext = (state: RunState, { id, context = [] }: MomentEnd): RunState =>
  context.reduce<RunState>(
    (next, text, index) => withNote(next, { ...noteOf(id, index, hookContext(text)), passive: true }),
    state,
  )

const noteOf = (id: string, of: string | number, text: string): Note => ({
  key: `hook:${id}:${of}`,
  from: "runtime",
  text,
})

const withNote = (state: RunState, note: Note): RunState => ({ ...state, inbox: [...state.inbox, note] })

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
  const moments = state.moments ?? noMoments
  return { ...state, moments: { ...moments, ...change(moments) } }
}

function joined(before: MomentHooks, added: MomentHooks): MomentHooks {
  const all = Object.entries(added).map(([moment, names]) => [
    moment,
    [...new Set([...(before[moment as MomentName] ?? []), ...names])],
  ])
  return { ...before, ...Object.fromEntries(all) }
}
