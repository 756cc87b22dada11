import type { ModelSource } from "../../agent/model.ts"
import { CadreError, messageOf } from "../../ground/errors.ts"
import { now } from "../log/clock.ts"
import { eventVersion, type Fact, type RunEvent } from "../log/event.ts"
import { redactTexts } from "../log/redact.ts"
import type { Charge, Claim, Refusal, Store } from "../log/store.ts"
import type { RunState } from "../state/state.ts"
import { apply } from "./apply.ts"

interface Entry {
  readonly fact: Fact
  /** With one, it may be refused for want of allowance, which is an answer and not a failure. */
  readonly charge: Charge | undefined
  readonly settle: Charge | undefined
  readonly sync: true | undefined
  resolve(answer: "ok" | LimitRefusal): void
  reject(error: unknown): void
}

export type LimitRefusal = Extract<Refusal, { type: "limit" }>

export interface RecordOptions {
  /** The disk must have it before this resolves. */
  readonly sync?: true
  readonly settle?: Charge
}

/** What must not be kept, and whether there is any. */
type Redacting = Pick<ModelSource, "keepsSecrets" | "redact">

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

export interface RecordListener {
  /** It is stored and folded. */
  recorded(event: RunEvent): void
  /** Nothing more can be recorded. */
  poisoned(): void
}

/**
 * The one way to write an event: one queue per run, so that stored, folded and emitted order are one order.
 * A failed append poisons the run: every later record fails, and the listener is told to stop its effects.
 */
export class Recorder {
  state: RunState
  poison: unknown
  readonly #store: Store
  readonly #claim: Claim
  readonly #listener: RecordListener
  readonly #models: Redacting
  #seq: number
  #queue: Entry[] = []
  #flushing: Promise<void> | undefined

  constructor(parts: {
    state: RunState
    seq: number
    store: Store
    claim: Claim
    listener: RecordListener
    /** Takes out of a text what must not be kept. */
    models: Redacting
  }) {
    this.state = parts.state
    this.#seq = parts.seq
    this.#store = parts.store
    this.#claim = parts.claim
    this.#listener = parts.listener
    this.#models = parts.models
  }

  /** The number the next event gets. */
  get seq(): number {
    return this.#seq
  }

  record(fact: Fact, { sync, settle }: RecordOptions = {}): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#enqueue({ fact, charge: undefined, settle, sync, resolve: resolve as () => void, reject }),
    )
  }

  /** Records what is about to be consumed, unless that goes beyond an allowance: then nothing is recorded. */
  reserve(fact: Fact, charge: Charge): Promise<"ok" | LimitRefusal> {
    return new Promise((resolve, reject) =>
      this.#enqueue({ fact, charge, settle: undefined, sync: undefined, resolve, reject }),
    )
  }

  /** Pending while something is recorded that is not yet stored and folded. */
  get flushing(): Promise<void> | undefined {
    return this.#flushing
  }

  #enqueue(entry: Entry): void {
    if (this.poison !== undefined) return entry.reject(this.poison)
    this.#queue.push(entry)
    this.#flushing ??= this.#flush()
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0 && this.poison === undefined) {
      const batch = this.#takeBatch()
      const events: RunEvent[] = []
      let sync = false
      let answer: "ok" | Refusal
      try {
        for (const entry of batch) {
          events.push(this.#stamp(entry, this.#seq + events.length))
          if (entry.sync) sync = true
        }
        answer = await this.#store.append(this.#claim, events, sync ? { sync } : undefined)
      } catch (error) {
        answer = { type: "stale", message: messageOf(error) }
      }
      if (answer !== "ok") {
        if (answer.type === "limit" && batch[0]!.charge) batch[0]!.resolve(answer)
        else this.#fail(refusalError(this.state.run, answer), batch)
        continue
      }
      this.#seq += events.length
      try {
        for (const event of events) {
          this.state = apply(this.state, event)
          this.#listener.recorded(event)
        }
      } catch (error) {
        // A fault of ours, but nobody must wait for ever because of it.
        this.#fail(error, batch)
        continue
      }
      for (const entry of batch) entry.resolve("ok")
    }
    // In the same step as the last look at the queue: an entry pushed in between would wait for ever.
    this.#flushing = undefined
  }

  /** A reservation goes alone: it may be refused while what stands behind it is not. */
  #takeBatch(): Entry[] {
    const queue = this.#queue
    const next = queue.findIndex((entry) => entry.charge)
    if (queue.length > 1 && next >= 0) return queue.splice(0, Math.max(1, next))
    this.#queue = []
    return queue
  }

  /** The fact itself becomes the event: it was made to be recorded, and a copy of each would cost more than all the rest. */
  #stamp({ fact, charge, settle }: Entry, seq: number): RunEvent {
    const event = (
      this.#models.keepsSecrets() ? redactTexts(fact, this.#models.redact) : fact
    ) as Changeable<RunEvent>
    event.run = this.state.run
    event.seq = seq
    event.at = now()
    event.v = eventVersion
    if (charge) event.charge = charge
    if (settle) event.settle = settle
    return event
  }

  #fail(error: unknown, batch: readonly Entry[]): void {
    this.poison = error
    for (const entry of [...batch, ...this.#queue.splice(0)]) entry.reject(error)
    this.#listener.poisoned()
  }
}

/** A refusal the caller cannot go on with, as an error. */
export function refusalError(run: string, refusal: Refusal): CadreError {
  switch (refusal.type) {
    case "owned":
      return new CadreError(
        "RUN_OWNED",
        `Run ${run} is owned by ${refusal.by}. Wait until it ends, cancel it, or take over by force if that process cannot be reached.`,
      )
    case "unknown-run":
      return new CadreError("RUN_UNKNOWN", `No run ${run} in this store.`)
    case "open":
      return new CadreError(
        "RUN_ACTIVE",
        `Run ${refusal.run} has not ended. Resume it until it ends, or cancel it first.`,
      )
    case "damaged":
      return new CadreError("LOG_DAMAGED", `The log of run ${run} is damaged: ${refusal.message}`)
    case "limit":
    case "stale":
      return new CadreError(
        "STORE_FAILED",
        `Run ${run} could not be recorded and has stopped: ${refusal.message}`,
      )
  }
}
