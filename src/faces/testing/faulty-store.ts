import { setTimeout } from "node:timers/promises"
import { CadreError } from "../../ground/errors.ts"
import { type KnownOptions, requireKnownOptions } from "../../ground/options.ts"
import type { Claim, Store, StoredEvent, StoreRefusal } from "../../run/log/store.ts"
import { createGenerator } from "./random.ts"

/** The faults of a store, by the number of the append. Everything that is left out works. */
export interface FaultPlan {
  /** The same seed gives the same delays. Default: 1. */
  readonly seed?: number
  /** Each call takes up to this many milliseconds: half of the delay before it reaches the store, half after. */
  readonly latency?: number
  /** Appends are counted from 1. After this one is acknowledged the store is dead: every later call throws. */
  readonly dieAfter?: number
  /** This append is recorded, but its call throws, and so does every later call. */
  readonly dieDuring?: number
  /** This append throws and records nothing, as on a full disk. Later appends work. */
  readonly failAppend?: number
  /** Counts only appends with `sync`. This append is recorded and throws, because the disk may not have it. */
  readonly failSync?: number
}

/**
 * Wraps a store so that it is slow, fails or dies by plan. After it died, claim the wrapped store with
 * `force`.
 *
 * @example
 * ```ts
 * import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"
 * import { faultyStore } from "cadre/testing"
 *
 * const store = faultyStore(memoryStore(), { dieAfter: 2 })
 * const greeter = defineAgent({ name: "greeter", instructions: "Greet the person." })
 * const model = scriptedModel({ greeter: [{ text: "Hello." }] })
 * const runtime = createRuntime({ agents: [greeter], models: { model }, store })
 * await runtime.run("greeter", "Ada has arrived.").done.catch(({ code }) => console.log(code, store.isDead))
 * ```
 */
export function faultyStore(
  store: Store,
  plan: FaultPlan,
): Store & { readonly appends: number; readonly isDead: boolean } {
  requireKnownOptions("faultyStore", plan, faultPlan)
  const random = createGenerator(plan.seed ?? 1)
  /** Keeps the appends of one run in order, however long each takes. */
  const queues = new Map<string, Promise<unknown>>()
  let appends = 0
  let syncs = 0
  let isDead = false

  const delay = async () => {
    if (plan.latency !== undefined) await setTimeout((random() * plan.latency) / 2)
  }

  const checkAlive = () => {
    if (isDead) throw new CadreError("STORE_FAILED", "The store has died, as planned.")
  }

  const call = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    checkAlive()
    await delay()
    checkAlive()
    const result = await work()
    await delay()
    return result
  }

  async function* stream<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    checkAlive()
    await delay()
    for await (const item of items) {
      checkAlive()
      yield item
    }
  }

  const append = async (
    claim: Claim,
    events: readonly StoredEvent[],
    options?: { sync?: true },
  ): Promise<"ok" | StoreRefusal> => {
    checkAlive()
    const number = ++appends
    if (number === plan.failAppend) throw new CadreError("STORE_FAILED", "The disk is full, as planned.")
    const result = await store.append(claim, events, options)
    if (number === plan.dieAfter || number === plan.dieDuring) isDead = true
    if (number === plan.dieDuring) checkAlive()
    if (options?.sync === true && ++syncs === plan.failSync)
      throw new CadreError("STORE_FAILED", "The disk failed to sync, as planned.")
    return result
  }

  return {
    get appends() {
      return appends
    },
    get isDead() {
      return isDead
    },
    create: (first) => call(() => store.create(first)),
    claim: (run, options) => call(() => store.claim(run, options)),
    release: (claim, letters) => call(() => store.release(claim, letters)),
    append(claim, events, options) {
      const run = events[0]?.run ?? claim.run
      const before = queues.get(run) ?? Promise.resolve()
      const turn = before.catch(() => {}).then(() => call(() => append(claim, events, options)))
      queues.set(run, turn)
      return turn
    },
    read: (run, from) => stream(store.read(run, from)),
    send: (letter) => call(() => store.send(letter)),
    receive: (claim, signal) => stream(store.receive(claim, signal)),
    list: (query) => stream(store.list(query)),
    follow: (root, from, signal) => stream(store.follow(root, from, signal)),
    putBlob: (run, content) => call(() => store.putBlob(run, content)),
    getBlob: (run, hash) => call(() => store.getBlob(run, hash)),
    hold: (run, key) => call(() => store.hold(run, key)),
    ...(store.holder && { holder: (key: string) => call(() => store.holder!(key)) }),
    letGo: (run, key) => call(() => store.letGo(run, key)),
    remove: (root, options) => call(() => store.remove(root, options)),
    close: () => store.close(),
  }
}

const faultPlan: KnownOptions<FaultPlan> = {
  seed: "known",
  latency: "known",
  dieAfter: "known",
  dieDuring: "known",
  failAppend: "known",
  failSync: "known",
}
