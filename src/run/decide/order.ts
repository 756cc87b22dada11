import { classifyFileUse } from "../state/file-use.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { tallyKeyOf } from "../state/tally.ts"
import { findNextCallAction } from "./decide-call.ts"

/**
 * The calls of a turn that may have a next action, with their numbers in the run. A turn may have thousands of calls, of
 * which few change at a time. A chunk without a next action is skipped as a whole.
 */
export function* listCallsToDecide(state: RunState): Generator<Stirring> {
  const order = new Order(state)
  const { maxToolCalls } = state.start!.limits
  const isLong = state.calls.length > fewCalls
  let number = state.callCount - state.calls.length
  let isSubmitted = false
  for (const chunk of state.calls.chunks()) {
    if (isLong && !isSubmitted && number + chunk.length <= maxToolCalls && order.passOver(chunk)) {
      number += chunk.length
      continue
    }
    for (const call of chunk) {
      number++
      yield { call, number, order: order.isHeld(call) ? "held" : "free" }
      isSubmitted ||= call.kind === "submit"
    }
  }
}

/** Up to this many calls, a look at each one is faster than a summary of their chunk. */
const fewCalls = 16

interface Stirring {
  readonly call: OpenCall
  readonly number: number
  /** `held`: the call has to wait for an earlier one. */
  readonly order: "held" | "free"
}

/** True if every ordered call waits for an earlier one, and has no other action until then. */
export function areOrderedCallsHeld(state: RunState): boolean {
  for (const { call, order } of listCallsToDecide(state))
    if (tallyKeyOf(call) === "ordered" && findNextCallAction(state, call, 0, order)) return false
  return true
}

/**
 * Tells for each call of a turn, asked in order, whether it has to wait for an earlier one. Calls run side by side, but a
 * test must not run before the edit that it is for. So a call that may change files or runs commands runs alone among
 * the calls that use files. A result is submitted after all earlier calls have ended.
 */
class Order {
  readonly #state: RunState
  #isOpen = false
  #isLooking = false
  #isChanging = false

  constructor(state: RunState) {
    this.#state = state
  }

  isHeld(call: OpenCall): boolean {
    const use = this.#state.plan ? "nothing" : classifyFileUse(call)
    const isHeld =
      call.kind === "submit"
        ? this.#isOpen
        : use === "changes"
          ? this.#isLooking
          : use === "looks" && this.#isChanging
    if (call.status !== "ended") {
      this.#isOpen = true
      this.#isLooking ||= use !== "nothing"
      this.#isChanging ||= use === "changes"
    }
    return isHeld
  }

  /** True if no call of the chunk has a next action. The chunk then counts as done. */
  passOver(chunk: readonly OpenCall[]): boolean {
    const { still, quiet, open, looks, changes } = summaryOf(this.#state, chunk)
    if (!still && !(quiet && this.#isChanging)) return false
    this.#isOpen ||= open
    if (this.#state.plan) return true
    this.#isLooking ||= looks || changes
    this.#isChanging ||= changes
    return true
  }
}

interface Summary {
  readonly rights: RunState["rights"]
  readonly hooks: number
  /** No call has a next action, whatever the earlier calls do. */
  readonly still: boolean
  /** No call has a next action while an earlier call changes files. */
  readonly quiet: boolean
  /** Some calls have not ended. `looks` and `changes` tell what those calls do to files. */
  readonly open: boolean
  readonly looks: boolean
  readonly changes: boolean
}

/** A chunk never changes, and neither does its summary under the same rights and hooks. */
const summaries = new WeakMap<readonly OpenCall[], Summary>()

function summaryOf(state: RunState, chunk: readonly OpenCall[]): Summary {
  const { rights, hooks } = state
  const cachedSummary = summaries.get(chunk)
  if (cachedSummary?.rights === rights && cachedSummary.hooks === hooks.length) return cachedSummary
  const open = chunk.filter(({ status }) => status !== "ended")
  const hasSubmit = chunk.some(({ kind }) => kind === "submit")
  const stirring = open.filter((call) => {
    const count = tallyKeyOf(call)
    return count !== undefined && count !== "atWork" && count !== "waiting"
  })
  const isQuiet = (call: OpenCall) =>
    tallyKeyOf(call) === "ordered" && !state.plan && findNextCallAction(state, call, 0, "held") === undefined
  const uses = open.map(classifyFileUse)
  const summary: Summary = {
    rights,
    hooks: hooks.length,
    still: !hasSubmit && stirring.length === 0,
    quiet: !hasSubmit && stirring.every(isQuiet),
    open: open.length > 0,
    looks: uses.includes("looks"),
    changes: uses.includes("changes"),
  }
  summaries.set(chunk, summary)
  return summary
}
