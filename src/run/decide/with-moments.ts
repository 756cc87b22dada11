import type { Message } from "../../ground/message.ts"
import type { RunOutcome } from "../log/event-outcome.ts"
import type { MomentFacts } from "../ports/hooked-moment.ts"
import { judgeSpawn } from "../rights/judge-spawn.ts"
import type { RunState } from "../state/state.ts"
import type { Action } from "./action.ts"
import { getFinalOutput } from "./conclude.ts"
import { findNearLimits } from "./near-limits.ts"

/** Asks hooks first where the run has come to one of their moments. Actions that have to wait for hooks are dropped. */
export function withMoments(state: RunState, actions: readonly Action[], now: number): readonly Action[] {
  const end = actions.find((action) => action.type === "end")
  if (end?.cached) return actions
  if (state.stop) return end && mustAskAtEnd(state, end) ? [askAtEnd(state, end)] : actions
  const stopping = actions.find((action) => action.type === "stop")
  if (stopping) return [wouldComplete(state, stopping.outcome, getFinalOutput(state).output) ?? stopping]
  const afterModel = askAfterModel(state)
  if (afterModel) return [afterModel]
  const beside = [...spawnAgents(state), ...askAboutChildren(state), ...askAboutLimits(state, now)]
  if (beside.length > 0 || state.moments!.open.length > 0)
    return [...beside, ...actions.filter(isFree(state))]
  const question = beforeNext(state, actions) ?? (end && beforeEnd(state, end))
  return question ? [question] : actions
}

/** Actions that may go on while hooks are asked or their agents work: not the model, not the end, and no report to it. */
function isFree({ moments }: RunState): (action: Action) => boolean {
  const { open, ended } = moments!
  const isAnswered = open.some(({ moment }) => moment === "after_model")
  const isUnseen = (child: string) =>
    ended.some(({ run }) => run === child) || open.some(({ id }) => id === `after_spawn:${child}`)
  return (action) => {
    if (waitingTypes.includes(action.type)) return false
    if (isAnswered) return action.type === "wait" || action.type === "fall-back"
    const isReport = action.type === "end-call" || action.type === "show-result"
    return !isReport || action.call.child === undefined || !isUnseen(action.call.child)
  }
}

const waitingTypes: readonly Action["type"][] = ["call-model", "plan", "compact", "check", "end", "rest"]

type End = Extract<Action, { type: "end" }>
type Ask = Extract<Action, { type: "ask-hooks" }>

function ask(state: RunState, happening: MomentFacts, turn = state.turn): Ask {
  return { type: "ask-hooks", id: momentId(happening, turn), turn, happening }
}

function momentId(happening: MomentFacts, turn: number): string {
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

/** The question to the hooks of a moment. Undefined if there are none, or they were asked already. */
function askOnce(state: RunState, happening: MomentFacts, turn?: number): Ask | undefined {
  const { hooks, lastQuestions } = state.moments!
  if (!hooks[happening.moment]) return undefined
  const asking = ask(state, happening, turn)
  return lastQuestions[happening.moment] === asking.id ? undefined : asking
}

/** True if `run_end` hooks have yet to be asked. A cancelled run does not ask them. */
const mustAskAtEnd = ({ moments }: RunState, { outcome }: End): boolean =>
  moments!.hooks.run_end !== undefined && !moments!.lastQuestions.run_end && outcome.type !== "cancelled"

const askAtEnd = (state: RunState, { outcome, output }: End): Ask =>
  ask(state, { moment: "run_end", outcome, output })

function askAfterModel(state: RunState): Ask | undefined {
  if (!state.moments!.hooks.after_model || state.phase.type !== "idle" || state.failure) return undefined
  if (state.plan) return undefined
  if (!state.final && state.calls.length === 0) return undefined
  return askOnce(state, {
    moment: "after_model",
    output: state.final?.text ?? textOf(state.messages.at(state.messages.length - 1)),
    calls: [...state.calls].map(({ tool }) => tool),
  })
}

/** A reply with calls stays the last message until the calls have ended. */
const textOf = (message: Message | undefined): string => message?.text ?? ""

function beforeNext(state: RunState, actions: readonly Action[]): Ask | undefined {
  if (state.turn === 0 && actions.some(begins)) {
    const { continues } = state.start!
    const start = askOnce(state, {
      moment: "run_start",
      ...(continues !== undefined && { continues }),
    })
    if (start) return start
  }
  const next = actions.find((action) => action.type === "call-model")
  if (!next || next.turn === state.turn) return undefined
  return askOnce(state, { moment: "before_model" }, next.turn)
}

const begins = ({ type }: Action): boolean => !beginsNothing.includes(type)
const beginsNothing: readonly Action["type"][] = ["end", "check", "wait", "rest", "add-message", "done"]

/** A run that would complete asks its `stop` hooks. Its outcome is recorded before `run_end` hooks are told. */
function beforeEnd(state: RunState, end: End): Action | undefined {
  const { outcome, type: _, cached: __, ...result } = end
  return (
    wouldComplete(state, outcome, result.output) ??
    (mustAskAtEnd(state, end) ? { type: "stop", outcome, left: result } : undefined)
  )
}

const wouldComplete = (state: RunState, outcome: RunOutcome, output: string): Ask | undefined =>
  isDone(state, outcome)
    ? askOnce(state, { moment: "stop", round: state.moments!.rounds + 1, output })
    : undefined

/** A model also says that it is done when its calls were refused, or when the outcome of a call is unknown. */
const isDone = ({ plan }: RunState, { type }: RunOutcome): boolean =>
  type === "completed" || (!plan && (type === "denied" || type === "uncertain"))

const askAboutChildren = (state: RunState): readonly Ask[] =>
  state.moments!.ended.map(({ run: child, agent: subagent, outcome, output: report }) =>
    ask(state, { moment: "after_spawn", child, subagent, outcome, report }),
  )

/** An agent that a hook starts is judged like a called agent, except that no person is asked. */
function spawnAgents(state: RunState): readonly Action[] {
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
                : `the rules of ${of} ask for approval, which is not possible at this moment`,
          }
    return [{ type: "spawn-at", open, spawn, ...refused }]
  })
}

const askAboutLimits = (state: RunState, now: number): readonly Ask[] =>
  findNearLimits(state, now).map((happening) => ask(state, happening))
