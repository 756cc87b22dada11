import type { Action } from "../src/run/decide/action.ts"
import { applyRunEvent } from "../src/run/decide/apply.ts"
import type { AskedCall, Fact, RunEvent } from "../src/run/log/event.ts"
import { emptyRunState, type RunState } from "../src/run/state/state.ts"

/** The state of a run after these facts. A number among them is the time at which what follows it is recorded. */
export function folded(...parts: readonly (Fact | number)[]): RunState {
  let state = emptyRunState("r")
  let at = 0
  let seq = 0
  for (const part of parts) {
    if (typeof part === "number") at = part
    else state = applyRunEvent(state, { ...part, run: "r", seq: seq++, at, v: 1 } as RunEvent)
  }
  return state
}

/** A call that a model asked for, of which only what matters is said. */
export const asked = (number: number, more: Partial<AskedCall> = {}): AskedCall => ({
  id: `c${number}`,
  wire: `w${number}`,
  tool: "work",
  arguments: "{}",
  kind: "function",
  effect: "read",
  ...more,
})

/** A turn in which the model says this, or asks for these calls. */
export const turn = (
  number: number,
  said: string | readonly AskedCall[],
  more: object = {},
): readonly Fact[] => [
  {
    type: "model-start",
    turn: number,
    attempt: 1,
    model: "m",
    reserved: { inputTokens: 10, outputTokens: 5 },
  },
  {
    type: "model-end",
    turn: number,
    attempt: 1,
    text: typeof said === "string" ? said : "",
    calls: typeof said === "string" ? [] : said,
    usage: { inputTokens: 1, outputTokens: 1 },
    stop: "end",
    ...more,
  } as Fact,
]

/** Actions with calls by their ids, for comparison. */
export const brief = (actions: readonly Action[]): readonly object[] =>
  actions.map((action) => ("call" in action ? { ...action, call: action.call.id } : action))
