import type { ModelError } from "../../agent/model.ts"
import { readClock } from "../log/clock.ts"

/** The gates by key. Models share a key, so a model that is told to wait makes all of them wait. */
export class RequestGates {
  readonly #gates = new Map<string, RequestGate>()

  of({ rateLimitGroup }: { readonly rateLimitGroup?: string }): RequestGate | undefined {
    if (rateLimitGroup === undefined) return undefined
    const existing = this.#gates.get(rateLimitGroup)
    if (existing) return existing
    const created = new RequestGate()
    this.#gates.set(rateLimitGroup, created)
    return created
  }
}

/**
 * Milliseconds between two requests after a provider said "later": the first gap, the longest, and the one
 * that counts as none.
 */
const [firstGap, longestGap, noGap] = [100, 5_000, 10]
/**
 * The factor by which each answer shortens the gap. Close to 1, so that one refusal comes with many answers.
 */
const closer = 0.9
/** A timer with a longer delay would fire immediately. */
const longestTimer = 2 ** 31 - 1

/**
 * The requests of one key. While the provider takes them all, they pass immediately. When it says "later", none
 * passes until then. Afterwards they pass one by one, in the order they came. Each answer brings them closer
 * together, each refusal further apart. Waiting requests never pass together: the provider would refuse most
 * of them again.
 */
export class RequestGate {
  #closedUntil = 0
  #gap = 0
  #lastPass = 0
  readonly #line = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /**
   * `wait`: other requests are in line, or it is too early. A request called from the line passes unless the
   * gate closed again.
   */
  enter(from: "outside" | "line"): "pass" | "wait" {
    const time = readClock()
    if (time < this.#closedUntil) return "wait"
    if (from === "line") return "pass"
    if (this.#line.size > 0 || time < this.#lastPass + this.#gap) return "wait"
    this.#lastPass = time
    return "pass"
  }

  /** Joins the line; `go` is called when it is the request's turn. The result leaves the line. */
  wait(go: () => void): () => void {
    const place = () => go()
    this.#line.add(place)
    this.#arm()
    return () => {
      this.#line.delete(place)
      this.#arm()
    }
  }

  /**
   * Takes in the result of a request that passed; `delay` is how long the sender waits before the next
   * attempt.
   */
  recordResult(error: ModelError | undefined, delay: number): void {
    const time = readClock()
    if (error?.kind === "rate-limit" || error?.kind === "overloaded") {
      // Requests that were on their way when the gate closed tell nothing new.
      if (time >= this.#closedUntil) this.#gap = Math.min(Math.max(firstGap, this.#gap * 2), longestGap)
      this.#closedUntil = Math.max(this.#closedUntil, time + delay)
    } else if (error === undefined && this.#gap > 0 && time >= this.#closedUntil) this.#narrow()
    this.#arm()
  }

  #narrow(): void {
    this.#gap *= closer
    if (this.#gap < noGap && this.#line.size === 0) this.#gap = 0
  }

  /** Sets one timer for the first request in line. */
  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#line.size === 0) return
    const delay = Math.max(this.#closedUntil, this.#lastPass + this.#gap) - readClock()
    this.#timer = setTimeout(() => this.#callNext(), Math.min(Math.max(0, Math.ceil(delay)), longestTimer))
  }

  #callNext(): void {
    const time = readClock()
    const [next] = this.#line
    if (next && time >= Math.max(this.#closedUntil, this.#lastPass + this.#gap)) {
      this.#line.delete(next)
      this.#lastPass = time
      next()
    }
    this.#arm()
  }
}
