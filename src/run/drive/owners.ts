import { defaultLimits } from "../../ground/limits.ts"
import { readRunStart } from "../begin/load.ts"
import { createRefusalError } from "../decide/record.ts"
import { findParentRun, getRootRun } from "../log/id.ts"
import { isRefusal } from "../log/store.ts"
import type { Environment } from "../ports/environment.ts"
import { OwnedTree } from "./tree.ts"

export interface OwnOptions {
  readonly maxConcurrency?: number | undefined
  readonly force?: true
  readonly repair?: true
}

/** The trees that this process owns, from their claim until it is released. */
export class Owners {
  readonly #environment: Environment
  readonly #trees = new Map<string, Promise<OwnedTree>>()
  /** True if the store gives each run its own owner. The first claim tells. */
  #perRun = false

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Drives a run, under a new claim where the current one is just being released. */
  async drive(run: string, options: OwnOptions = {}): Promise<OwnedTree> {
    for (;;) {
      const tree = await this.#own(run, options)
      if (tree.covers(run)) {
        tree.dispatch(run)
        return tree
      }
      await tree.closed
    }
  }

  /** The tree of a run, if this process owns it. The tree may be closing: call `covers` right before you use it. */
  async find(run: string): Promise<OwnedTree | undefined> {
    return this.#trees.get(this.#keyOf(run))?.catch(() => undefined)
  }

  /** Cancels runs whose parent has ended without them, because its process died before it could cancel them. */
  async cancelOrphans(tree: OwnedTree): Promise<void> {
    const endedRuns = new Set<string>()
    for await (const head of this.#environment.store.list({ root: getRootRun(tree.claim.run) })) {
      if (head.status === "ended") endedRuns.add(head.run)
      else if (endedRuns.has(findParentRun(head.run) ?? ""))
        tree.post(head.run, `${head.run}:cancel`, { type: "cancel", reason: "its parent has ended" })
    }
  }

  /** Stops driving all trees. Their runs can be resumed. */
  async stop(error: unknown): Promise<void> {
    for (const opening of this.#trees.values()) {
      const tree = await opening.catch(() => undefined)
      tree?.fail(error)
      await tree?.closed.catch(() => {})
    }
  }

  /** Lets go of the tree of a run, if this process owns it. Resolves when its claim is given up. */
  async letGo(run: string, reason: string): Promise<void> {
    const tree = await this.find(run)
    tree?.letGo(reason)
    await tree?.closed
  }

  #keyOf(run: string): string {
    return this.#perRun ? run : getRootRun(run)
  }

  #own(run: string, options: OwnOptions): Promise<OwnedTree> {
    const key = this.#keyOf(run)
    const existing = this.#trees.get(key)
    if (existing) return existing
    const opening = this.#claim(run, options)
    const forget = () => {
      if (this.#trees.get(key) === opening) this.#trees.delete(key)
    }
    opening.then((tree) => tree.closed.then(forget, forget), forget)
    this.#trees.set(key, opening)
    return opening
  }

  async #claim(run: string, { maxConcurrency, ...options }: OwnOptions): Promise<OwnedTree> {
    const { store } = this.#environment
    const claim = await store.claim(run, options)
    if (isRefusal(claim)) throw createRefusalError(run, claim)
    this.#perRun = claim.covers === "run"
    // A damaged log could not be read before its repair.
    const limit = options.repair
      ? (await readRunStart(store, getRootRun(run))).limits?.maxConcurrency
      : maxConcurrency
    const tree = new OwnedTree(this.#environment, claim, limit ?? defaultLimits.maxConcurrency, (other) => {
      // A refusal means that another process owns the run, and drives it.
      this.drive(other).catch(() => {})
    })
    await tree.open().catch(async (error) => {
      await store.release(claim)
      throw error
    })
    return tree
  }
}
