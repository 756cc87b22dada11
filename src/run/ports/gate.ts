import type { ModelError } from "../../agent/model.ts"
import { now } from "../log/clock.ts"

/** By what models share: one that is told to wait makes all of them wait. */
export class Gates {
  readonly #gates = new Map<string, Gate>()

  of({ gate }: { readonly gate?: string }): Gate | undefined {
    if (gate === undefined) return undefined
    const known = this.#gates.get(gate)
    if (known) return known
    const made = new Gate()
    this.#gates.set(gate, made)
    return made
  }
}

/** Milliseconds between two requests after a provider said "later": at first, at most, and as few as are none. */
const [firstGap, longestGap, noGap] = [100, 5_000, 10]
/** How much closer together an answer brings them. Small, so that one refusal comes with many answers. */
const closer = 0.9
/** Above this a timer fires at once. */
const longestTimer = 2 ** 31 - 1

/**
 * The requests of one key. While the provider takes them all, they pass at once; when it says "later", nobody passes
 * until then, and afterwards one by one in the order they came: closer together with each that is answered, further
 * apart with each that is not. All that wait never pass together: the provider would refuse most of them again.
 */
export class Gate {
  #closedUntil = 0
  #gap = 0
  #lastPass = 0
  readonly #line = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `wait`: somebody is in line, or it is too early. Whoever was called from the line passes unless it closed again. */
  enter(from: "outside" | "line"): "pass" | "wait" {
    const time = now()
    if (time < this.#closedUntil) return "wait"
    if (from === "line") return "pass"
    if (this.#line.size > 0 || time < this.#lastPass + this.#gap) return "wait"
    this.#lastPass = time
    return "pass"
  }

  /** Stands in line, and is called when it is its turn. The result leaves the line. */
  wait(go: () => void): () => void {
    const place = () => go()
    this.#line.add(place)
    this.#arm()
    return () => {
      this.#line.delete(place)
      this.#arm()
    }
  }

  /** What became of a request that passed; `delay` is how long the one who asked waits before it asks again. */
  heard(error: ModelError | undefined, delay: number): void {
    const time = now()
    if (error?.kind === "rate-limit" || error?.kind === "overloaded") {
      // Requests that were on their way when it closed tell nothing new.
      if (time >= this.#closedUntil) this.#gap = Math.min(Math.max(firstGap, this.#gap * 2), longestGap)
      this.#closedUntil = Math.max(this.#closedUntil, time + delay)
    } else if (error === undefined && this.#gap > 0 && time >= this.#closedUntil) this.#narrow()
    this.#arm()
  }

  #narrow(): void {
    this.#gap *= closer
    if (this.#gap < noGap && this.#line.size === 0) this.#gap = 0
  }

  /** One timer for the first in line. */
  #arm(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#line.size === 0) return
    const delay = Math.max(this.#closedUntil, this.#lastPass + this.#gap) - now()
    this.#timer = setTimeout(() => this.#callNext(), Math.min(Math.max(0, Math.ceil(delay)), longestTimer))
  }

  #callNext(): void {
    const time = now()
    const [next] = this.#line
    if (next && time >= Math.max(this.#closedUntil, this.#lastPass + this.#gap)) {
      this.#line.delete(next)
      this.#lastPass = time
      next()
    }
    this.#arm()
  }
}
