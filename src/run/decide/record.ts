import type { ModelSource } from "../../agent/model.ts"
import { CadreError, describeThrown } from "../../ground/errors.ts"
import { readClock } from "../log/clock.ts"
import { eventVersion, type Fact, type RunEvent } from "../log/event.ts"
import { redactTexts } from "../log/redact.ts"
import type { Claim, Store, StoreCharge, StoreRefusal } from "../log/store.ts"
import type { RunState } from "../state/state.ts"
import { applyRunEvent } from "./apply.ts"

interface Entry {
  readonly fact: Fact
  /** An entry with a charge may be refused for lack of allowance. That is an answer, not a failure. */
  readonly charge: StoreCharge | undefined
  readonly settle: StoreCharge | undefined
  readonly sync: true | undefined
  resolve(answer: "ok" | LimitRefusal): void
  reject(error: unknown): void
}

export type LimitRefusal = Extract<StoreRefusal, { type: "limit" }>

export interface RecordOptions {
  /** The event must be on the disk before the promise resolves. */
  readonly sync?: true
  readonly settle?: StoreCharge
}

/** Removes secrets from texts, and tells whether there are any. */
type Redacting = Pick<ModelSource, "keepsSecrets" | "redact">

type Changeable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

export interface RecordListener {
  /** The event is stored and folded. */
  onRecorded(event: RunEvent): void
  /** Nothing more can be recorded. */
  onPoisoned(): void
}

/**
 * The only way to write an event. Each run has one queue, so events are stored, folded and emitted in the same order.
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
    /** Removes secrets from events before they are stored. */
    models: Redacting
  }) {
    this.state = parts.state
    this.#seq = parts.seq
    this.#store = parts.store
    this.#claim = parts.claim
    this.#listener = parts.listener
    this.#models = parts.models
  }

  /** The number of the next event. */
  get seq(): number {
    return this.#seq
  }

  record(fact: Fact, { sync, settle }: RecordOptions = {}): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#enqueue({ fact, charge: undefined, settle, sync, resolve: resolve as () => void, reject }),
    )
  }

  /** Records an event and its charge. Where the charge exceeds an allowance, nothing is recorded. */
  reserve(fact: Fact, charge: StoreCharge): Promise<"ok" | LimitRefusal> {
    return new Promise((resolve, reject) =>
      this.#enqueue({ fact, charge, settle: undefined, sync: undefined, resolve, reject }),
    )
  }

  /** Pending while there are events that are not stored and folded yet. */
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
      let answer: "ok" | StoreRefusal
      try {
        for (const entry of batch) {
          events.push(this.#stamp(entry, this.#seq + events.length))
          if (entry.sync) sync = true
        }
        answer = await this.#store.append(this.#claim, events, sync ? { sync } : undefined)
      } catch (error) {
        answer = { type: "stale", message: describeThrown(error) }
      }
      if (answer !== "ok") {
        if (answer.type === "limit" && batch[0]!.charge) batch[0]!.resolve(answer)
        else this.#fail(createRefusalError(this.state.run, answer), batch)
        continue
      }
      this.#seq += events.length
      try {
        for (const event of events) {
          this.state = applyRunEvent(this.state, event)
          this.#listener.onRecorded(event)
        }
      } catch (error) {
        // This is a bug in cadre, but callers must not wait for ever because of it.
        this.#fail(error, batch)
        continue
      }
      for (const entry of batch) entry.resolve("ok")
    }
    // No `await` since the last look at the queue: an entry pushed in between would wait for ever.
    this.#flushing = undefined
  }

  /** A reservation is appended alone: the store may refuse it, but not the entries behind it. */
  #takeBatch(): Entry[] {
    const queue = this.#queue
    const next = queue.findIndex((entry) => entry.charge)
    if (queue.length > 1 && next >= 0) return queue.splice(0, Math.max(1, next))
    this.#queue = []
    return queue
  }

  /** Turns the fact itself into the event: a copy of each fact would cost more than the rest of recording. */
  #stamp({ fact, charge, settle }: Entry, seq: number): RunEvent {
    const event = (
      this.#models.keepsSecrets() ? redactTexts(fact, this.#models.redact) : fact
    ) as Changeable<RunEvent>
    event.run = this.state.run
    event.seq = seq
    event.at = readClock()
    event.v = eventVersion
    if (charge) event.charge = charge
    if (settle) event.settle = settle
    return event
  }

  #fail(error: unknown, batch: readonly Entry[]): void {
    this.poison = error
    for (const entry of [...batch, ...this.#queue.splice(0)]) entry.reject(error)
    this.#listener.onPoisoned()
  }
}

/** The error for a refusal after which the caller cannot go on. */
export function createRefusalError(run: string, refusal: StoreRefusal): CadreError {
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
