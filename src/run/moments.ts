import type { Message } from "../message.ts"
import type { Action } from "./decide.ts"
import type { HookSpawn, MomentHooks, MomentName, Objection, Outcome, UsageByModel } from "./event.ts"
import type { Happening, NearLimit } from "./hooked-moment.ts"
import { judge } from "./rights.ts"
import { elapsed, type RunState } from "./state.ts"

/** How a run stands with the hooks that are asked at its moments. */
export interface Moments {
  readonly hooks: MomentHooks
  /** The last of each that they were asked about, by id. */
  readonly asked: { readonly [Name in MomentName]?: string }
  /** Limits that they were told of. */
  readonly near: readonly string[]
  /** Commands of hooks at moments that are not over; `lost`: nobody saw it end. */
  readonly commands: readonly { readonly id: string; readonly hook: string; readonly lost?: true }[]
  /** Children that have ended, and that they have not heard of. */
  readonly ended: readonly EndedChild[]
  /** Work that they hand to other agents. */
  readonly open: readonly OpenMoment[]
  /** How often they let the run go on that would have ended, and after which turn they last did. */
  readonly rounds: number
  readonly goesOn?: number
  /** What one of them still has against how it ends. */
  readonly objection?: Objection | undefined
}

interface EndedChild {
  readonly run: string
  readonly agent: string
  readonly outcome: Outcome
  readonly output: string
}

export interface OpenMoment {
  readonly id: string
  readonly moment: MomentName
  readonly spawns: readonly HookSpawn[]
  /** Whether it goes on only when a child has completed. */
  readonly waits: boolean
}

export const noMoments: Moments = {
  hooks: {},
  asked: {},
  near: [],
  commands: [],
  ended: [],
  open: [],
  rounds: 0,
}

/** How often hooks let a run go on that would have ended. */
const maxRounds = 3

/** Asks hooks first where the run has come to a moment of theirs. Nothing is left where it waits for what they want. */
export function withMoments(state: RunState, actions: readonly Action[], now: number): readonly Action[] {
  const end = actions.find((action) => action.type === "end")
  if (end?.cached) return actions
  if (state.stop) return end && isToBeTold(state, end) ? [lastOf(state, end)] : actions
  if (actions.some(({ type }) => type === "stop")) return actions
  const answered = answeredNow(state)
  if (answered) return [answered]
  const beside = [...spawning(state), ...heard(state), ...near(state, now)]
  if (beside.length > 0 || state.moments!.open.length > 0)
    return [...beside, ...actions.filter(isFree(state))]
  const before = beforeNext(state, actions) ?? (end && beforeEnd(state, end))
  return before ? [before] : actions
}

/** Its hooks want it to go on, though it had come to its end. */
export const goesOn = (state: RunState): boolean =>
  state.moments?.goesOn === state.turn && (hasNews(state) || state.children.length > 0)

/** Whether there is something to tell the model that it must still hear. */
export const hasNews = ({ inbox }: RunState): boolean => inbox.some(({ passive }) => !passive)

/** Whether a run that would end can go on instead. */
export const mayGoOn = ({ moments, turn, callCount, start }: RunState): boolean =>
  (moments?.rounds ?? 0) < maxRounds &&
  turn < start!.limits.maxTurns &&
  callCount <= start!.limits.maxToolCalls

/** When this much of its time will be used; undefined where nobody wants to know. */
export function nearClock(state: RunState, now: number): number | undefined {
  const { timeout } = state.start!.limits
  if (timeout === undefined || !state.moments!.hooks.limit_near || isNear(state, "timeout")) return undefined
  const at = state.lastAt + timeout * nearly - state.active
  return at > now ? at : undefined
}

/** The moment that an id is of; undefined where it is one of a call. */
export const momentOf = (id: string): MomentName | undefined =>
  momentNames.find((name) => id === name || id.startsWith(`${name}:`))

/** Whether hooks can keep a run from something there. */
export const isGate = (moment: MomentName): boolean =>
  moment === "run_start" || moment === "before_model" || moment === "stop"

export const momentNames: readonly MomentName[] = [
  "run_start",
  "before_model",
  "after_model",
  "after_spawn",
  "limit_near",
  "stop",
  "run_end",
]

/** What may go on while hooks are asked, or what they want is done: not the model, not the end, and no report to it. */
function isFree({ moments }: RunState): (action: Action) => boolean {
  const { open, ended } = moments!
  const isAnswered = open.some(({ moment }) => moment === "after_model")
  const isUnheard = (child: string) =>
    ended.some(({ run }) => run === child) || open.some(({ id }) => id === `after_spawn:${child}`)
  return (action) => {
    if (held.includes(action.type)) return false
    if (isAnswered) return action.type === "wait" || action.type === "fall-back"
    return action.type !== "end-call" || action.call.child === undefined || !isUnheard(action.call.child)
  }
}

const held: readonly Action["type"][] = ["call-model", "compact", "check", "end", "rest"]

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
  if (state.turn === 0 || state.phase.type !== "idle" || state.failure) return undefined
  if (!state.moments!.hooks.after_model) return undefined
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
    const start = unlessAsked(state, { moment: "run_start" })
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
  const { rounds } = state.moments!
  const { outcome, output } = end
  const stop =
    outcome.type === "completed"
      ? unlessAsked(state, { moment: "stop", round: rounds + 1, output })
      : undefined
  return stop ?? (isToBeTold(state, end) ? { type: "stop", outcome } : undefined)
}

const heard = (state: RunState): readonly Ask[] =>
  state.moments!.ended.map(({ run: child, agent: subagent, outcome, output: report }) =>
    ask(state, { moment: "after_spawn", child, subagent, outcome, report }),
  )

/** What a hook hands to an agent is judged like a call of that agent, except that nobody is asked. */
function spawning(state: RunState): readonly Action[] {
  return state.moments!.open.flatMap((open): readonly Action[] => {
    const [spawn] = open.spawns
    if (!spawn || open.waits) return []
    const accesses = [{ type: "agent" as const, name: spawn.agent }]
    const { decision, of } = judge(state.rights, { tool: "Agent", accesses }, state.start!.moved)
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

const nearly = 0.8

function near(state: RunState, now: number): readonly Ask[] {
  if (!state.moments!.hooks.limit_near) return []
  return uses(state, now).flatMap(({ limit, used, allowed }) =>
    allowed !== undefined && used >= allowed * nearly && !isNear(state, limit)
      ? [ask(state, { moment: "limit_near", limit, used, allowed })]
      : [],
  )
}

const isNear = ({ moments }: RunState, limit: NearLimit): boolean =>
  moments!.near.includes(`limit_near:${limit}`)

function uses(
  state: RunState,
  now: number,
): readonly { readonly limit: NearLimit; readonly used: number; readonly allowed: number | undefined }[] {
  const { maxTurns, maxToolCalls, maxTokens, maxCost, timeout } = state.start!.limits
  const below = [state.usage, state.usageBelow]
  return [
    { limit: "turns", used: state.turn, allowed: maxTurns },
    { limit: "tool-calls", used: state.callCount, allowed: maxToolCalls },
    { limit: "tokens", used: state.unsettled.tokens + tokensOf(below), allowed: maxTokens },
    { limit: "cost", used: state.unsettled.cost + costOf(below), allowed: maxCost },
    { limit: "timeout", used: elapsed(state, now), allowed: timeout },
  ]
}

const tokensOf = (usages: readonly UsageByModel[]): number =>
  sum(usages, ({ inputTokens, outputTokens }) => inputTokens + outputTokens)

const costOf = (usages: readonly UsageByModel[]): number => sum(usages, ({ cost = 0 }) => cost)

const sum = (usages: readonly UsageByModel[], count: (usage: UsageByModel[string]) => number): number =>
  usages.flatMap((usage) => Object.values(usage)).reduce((total, usage) => total + count(usage), 0)
