import { fileUse } from "../state/file-use.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { RunState } from "../state/state.ts"
import { countedAs } from "../state/tally.ts"
import { nextOfCall } from "./decide-call.ts"

/**
 * The calls of a turn that may have a step to take, with their numbers in the run. A turn may have thousands, of which
 * one at a time changes something: a chunk in which nothing can happen is passed over as a whole.
 */
export function* stirringCalls(state: RunState): Generator<Stirring> {
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

/** So few are gone through sooner than what is known of their chunk is worked out and kept. */
const fewCalls = 16

interface Stirring {
  readonly call: OpenCall
  readonly number: number
  /** `held`: it has to wait for one before it. */
  readonly order: "held" | "free"
}

/** Whatever has its place in an order waits for a call before it, and has nothing to do until then. */
export function isAllHeld(state: RunState): boolean {
  for (const { call, order } of stirringCalls(state))
    if (countedAs(call) === "ordered" && nextOfCall(state, call, 0, order)) return false
  return true
}

/**
 * Tells of each call of a turn, given in their order, whether it has to wait for one before it. They run side by side,
 * but a test must not run before the edit that it is for: what may change files or runs commands has its turn alone
 * among all that look at files. And a result is handed in when all before it have ended.
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
    const use = this.#state.plan ? "nothing" : fileUse(call)
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

  /** Whether none of these calls has a step to take; then they count as gone through. */
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
  /** No call has a step to take, whatever comes before it. */
  readonly still: boolean
  /** None has one while a call before them changes files. */
  readonly quiet: boolean
  /** What calls that have not ended do to files. */
  readonly open: boolean
  readonly looks: boolean
  readonly changes: boolean
}

/** Chunks never change, and neither does what is known of one under the same rights. */
const summaries = new WeakMap<readonly OpenCall[], Summary>()

function summaryOf(state: RunState, chunk: readonly OpenCall[]): Summary {
  const { rights, hooks } = state
  const known = summaries.get(chunk)
  if (known?.rights === rights && known.hooks === hooks.length) return known
  const open = chunk.filter(({ status }) => status !== "ended")
  const hasSubmit = chunk.some(({ kind }) => kind === "submit")
  const stirring = open.filter((call) => {
    const count = countedAs(call)
    return count !== undefined && count !== "atWork" && count !== "waiting"
  })
  const isQuiet = (call: OpenCall) =>
    countedAs(call) === "ordered" && !state.plan && nextOfCall(state, call, 0, "held") === undefined
  const uses = open.map(fileUse)
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
