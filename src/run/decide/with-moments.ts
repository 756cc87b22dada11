import type { Message } from "../../ground/message.ts"
import type { Outcome } from "../log/event-outcome.ts"
import type { Happening } from "../ports/hooked-moment.ts"
import { judgeSpawn } from "../rights/judge-spawn.ts"
import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"
import { leftBy } from "./conclude.ts"
import { nearLimits } from "./near-limits.ts"

/** Asks hooks first where the run has come to a moment of theirs. Nothing is left where it waits for what they want. */
export function withMoments(state: RunState, actions: readonly Action[], now: number): readonly Action[] {
  const end = actions.find((action) => action.type === "end")
  if (end?.cached) return actions
  if (state.stop) return end && isToBeTold(state, end) ? [lastOf(state, end)] : actions
  const stopping = actions.find((action) => action.type === "stop")
  if (stopping) return [wouldComplete(state, stopping.outcome, leftBy(state).output) ?? stopping]
  const answered = answeredNow(state)
  if (answered) return [answered]
  const beside = [...spawning(state), ...heard(state), ...near(state, now)]
  if (beside.length > 0 || state.moments!.open.length > 0)
    return [...beside, ...actions.filter(isFree(state))]
  const before = beforeNext(state, actions) ?? (end && beforeEnd(state, end))
  return before ? [before] : actions
}

/** What may go on while hooks are asked, or what they want is done: not the model, not the end, and no report to it. */
function isFree({ moments }: RunState): (action: Action) => boolean {
  const { open, ended } = moments!
  const isAnswered = open.some(({ moment }) => moment === "after_model")
  const isUnheard = (child: string) =>
    ended.some(({ run }) => run === child) || open.some(({ id }) => id === `after_spawn:${child}`)
  return (action) => {
    if (held.includes(action.type)) return false
    if (isAnswered) return action.type === "wait" || action.type === "fall-back"
    const isReport = action.type === "end-call" || action.type === "show-result"
    return !isReport || action.call.child === undefined || !isUnheard(action.call.child)
  }
}

const held: readonly Action["type"][] = ["call-model", "plan", "compact", "check", "end", "rest"]

type End = Extract<Action, { type: "end" }>
type Ask = Extract<Action, { type: "ask-hooks" }>

function ask(state: RunState, happening: Happening, turn = state.turn): Ask {
  return { type: "ask-hooks", id: idOf(happening, turn), turn, happening }
}

function idOf(happening: Happening, turn: number): string {
  const { moment } = happening
  switch (moment) {
    case "run_start":
    case "run_end":
      return moment
    case "before_model":
    case "after_model":
    case "stop":
      return `${moment}:${turn}`
    case "after_spawn":
      return `${moment}:${happening.child}`
    case "limit_near":
      return `${moment}:${happening.limit}`
  }
}

/** The question, where hooks are asked at such a moment and were not asked this one. */
function unlessAsked(state: RunState, happening: Happening, turn?: number): Ask | undefined {
  const { hooks, asked } = state.moments!
  if (!hooks[happening.moment]) return undefined
  const asking = ask(state, happening, turn)
  return asked[happening.moment] === asking.id ? undefined : asking
}

/** Whoever asked it to stop wants nothing more of it. */
const isToBeTold = ({ moments }: RunState, { outcome }: End): boolean =>
  moments!.hooks.run_end !== undefined && !moments!.asked.run_end && outcome.type !== "cancelled"

const lastOf = (state: RunState, { outcome, output }: End): Ask =>
  ask(state, { moment: "run_end", outcome, output })

function answeredNow(state: RunState): Ask | undefined {
  if (!state.moments!.hooks.after_model || state.phase.type !== "idle" || state.failure) return undefined
  if (state.plan) return undefined
  if (!state.final && state.calls.length === 0) return undefined
  return unlessAsked(state, {
    moment: "after_model",
    output: state.final?.text ?? textOf(state.messages.at(state.messages.length - 1)),
    calls: [...state.calls].map(({ tool }) => tool),
  })
}

/** A reply with calls is the last message until they have ended. */
const textOf = (message: Message | undefined): string => message?.text ?? ""

function beforeNext(state: RunState, actions: readonly Action[]): Ask | undefined {
  if (state.turn === 0 && actions.some(begins)) {
    const { continues } = state.start!
    const start = unlessAsked(state, {
      moment: "run_start",
      ...(continues !== undefined && { continues }),
    })
    if (start) return start
  }
  const next = actions.find((action) => action.type === "call-model")
  if (!next || next.turn === state.turn) return undefined
  return unlessAsked(state, { moment: "before_model" }, next.turn)
}

const begins = ({ type }: Action): boolean => !beginsNothing.includes(type)
const beginsNothing: readonly Action["type"][] = ["end", "check", "wait", "rest", "add-message", "done"]

/** One that would complete asks whether it may; how it ends is settled before anybody is told. */
function beforeEnd(state: RunState, end: End): Action | undefined {
  const { outcome, type: _, cached: __, ...left } = end
  return (
    wouldComplete(state, outcome, left.output) ??
    (isToBeTold(state, end) ? { type: "stop", outcome, left } : undefined)
  )
}

const wouldComplete = (state: RunState, outcome: Outcome, output: string): Ask | undefined =>
  isDone(state, outcome)
    ? unlessAsked(state, { moment: "stop", round: state.moments!.rounds + 1, output })
    : undefined

/** A model that gives up after its calls were refused, or does not know what came of one, says that it is done, too. */
const isDone = ({ plan }: RunState, { type }: Outcome): boolean =>
  type === "completed" || (!plan && (type === "denied" || type === "uncertain"))

const heard = (state: RunState): readonly Ask[] =>
  state.moments!.ended.map(({ run: child, agent: subagent, outcome, output: report }) =>
    ask(state, { moment: "after_spawn", child, subagent, outcome, report }),
  )

/** What a hook hands to an agent is judged like a call of that agent, except that nobody is asked. */
function spawning(state: RunState): readonly Action[] {
  return state.moments!.open.flatMap((open): readonly Action[] => {
    const [spawn] = open.spawns
    if (!spawn || open.waits) return []
    const { decision, of } = judgeSpawn(state, spawn)
    const refused =
      decision === "allow"
        ? {}
        : {
            refused:
              decision === "deny"
                ? `it is denied by the rules of ${of}`
                : `a person would have to be asked, say the rules of ${of}, and nobody is asked at such a moment`,
          }
    return [{ type: "spawn-at", open, spawn, ...refused }]
  })
}

const near = (state: RunState, now: number): readonly Ask[] =>
  nearLimits(state, now).map((happening) => ask(state, happening))
