import os from "node:os"
import path from "node:path"
import { randomBytes } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import { afterCursor, matches, requireQuery } from "../../run/face/run-query.ts"
import { parentOf, rootOf } from "../../run/log/id.ts"
import type { Claim, Letter, Piece, Refusal, RunHead, RunQuery, Store, Stored } from "../../run/log/store.ts"
import { notClaimed, requireFirst, requireRunId, unknownRun } from "./batch.ts"
import { Bell } from "./bell.ts"
import { Blobs } from "./jsonl/blobs.ts"
import { defaultDirectory, mustBeAbsolute } from "./jsonl/directory.ts"
import { type Disk, realDisk, storeFailed } from "./jsonl/disk.ts"
import { closeEndpoint, holdings, openEndpoint } from "./jsonl/endpoint.ts"
import { newestEpoch } from "./jsonl/folder.ts"
import type { HeldTree } from "./jsonl/held-tree.ts"
import { inboxFile, postLetter } from "./jsonl/inbox.ts"
import { Keys } from "./jsonl/keys.ts"
import { type JsonlOptions, jsonlOptions } from "./jsonl/options.ts"
import { thisProcess } from "./jsonl/owner.ts"
import { pack } from "./jsonl/pack.ts"
import type { Place } from "./jsonl/place.ts"
import { rootStatus } from "./jsonl/root-status.ts"
import { Streams } from "./jsonl/streams.ts"
import { type Indexed, readRun, View } from "./jsonl/view.ts"
import { watchPath } from "./jsonl/watch.ts"

export type { JsonlOptions } from "./jsonl/options.ts"

/**
 * Logs in plain files: a folder per tree on one host, owned by one process at a time. Creates nothing and opens nothing
 * before its first use. A stale owner can never add to a log. Files cannot stop an effect, though: after a forced
 * takeover of an owner that could not be killed, one effect per call in flight may still happen, unrecorded.
 */
export function jsonlStore(options: JsonlOptions = {}): Store {
  requireKnownOptions("jsonlStore", options, jsonlOptions)
  return new JsonlStore(options)
}

/** A program that only defines agents, or only reads logs, does without. */
const loadWriting = () => import("./jsonl/writing.ts")

class JsonlStore implements Store {
  readonly #directory: string
  readonly #durability: "kernel" | "disk"
  readonly #onDamage: NonNullable<JsonlOptions["onDamage"]>
  readonly #disk: Disk
  readonly #held = new Map<string, HeldTree>()
  /** Logs of others that were read lately. */
  readonly #views = new Map<string, View>()
  /** Ring when this store appends to a tree that somebody here follows. */
  readonly #followers = new Map<string, Set<Bell>>()
  /** Ends what is still being received or followed. */
  readonly #streams = new Streams()
  readonly #keys: Keys
  #endpoint: ReturnType<typeof openEndpoint> | undefined
  #closed = false

  constructor(options: JsonlOptions) {
    const { directory = defaultDirectory() } = options
    if (!path.isAbsolute(directory))
      throw new CadreError("OPTION_INVALID", `jsonlStore: \`directory\` ${mustBeAbsolute(directory)}`)
    this.#directory = path.normalize(directory)
    this.#durability = options.sync === "every" ? "disk" : "kernel"
    this.#onDamage = options.onDamage ?? (() => {})
    this.#disk = options.disk ?? realDisk
    this.#keys = new Keys(path.join(this.#directory, "keys"), (run) => this.#statusOf(run))
  }

  create(first: Stored): Promise<"created" | "exists"> {
    return this.#guard(async () => {
      requireFirst(first)
      const place = this.#place(first.run)
      if (parentOf(first.run) !== undefined) return this.#createChild(place, first)
      if (newestEpoch(place.folder) > 0) return "exists"
      const { text, contents } = pack(first)
      for (const content of contents) await place.blobs.write(content)
      const { createLog } = await loadWriting()
      const created = await createLog(place, text)
      this.#keys.created(first.run)
      return created ? "created" : "exists"
    })
  }

  claim(run: string, options: { force?: true; repair?: true } = {}): Promise<Claim | Refusal> {
    return this.#guard(async () => {
      requireRunId(run)
      const place = this.#place(run)
      const current = this.#held.get(place.root)
      if (current?.checkHeld() && options.force !== true)
        return current.index.has(run)
          ? { type: "owned", by: `this process (pid ${process.pid})` }
          : { type: "unknown-run" }
      if (newestEpoch(place.folder) === 0) return { type: "unknown-run" }
      const { claimTree, HeldTree } = await loadWriting()
      const endpoint = await this.#openEndpoint()
      const nonce = randomBytes(12).toString("hex")
      const owner = { ...thisProcess(), host: os.hostname(), ...endpoint, nonce }
      // Before the log can be seen by others, so that nobody who asks is told that we do not hold it.
      holdings.set(nonce, () => {})
      try {
        const taken = await claimTree(place, run, owner, options)
        if (taken.type !== "taken") return taken
        const tree = new HeldTree(place, taken, nonce, () => this.#ring(place.root))
        current?.checkHeld()
        this.#held.set(place.root, tree)
        if (this.#closed) await tree.release("leave")
        return tree.claim
      } finally {
        if (this.#held.get(place.root)?.nonce !== nonce) holdings.delete(nonce)
      }
    })
  }

  release(claim: Claim): Promise<"released" | "letters"> {
    return this.#guard(async () => {
      const tree = this.#treeOf(claim)
      const result = (await tree?.release("heed")) ?? "released"
      if (result === "released") this.#forget(claim.run, tree)
      return result
    })
  }

  append(claim: Claim, events: readonly Stored[], options?: { sync?: true }): Promise<"ok" | Refusal> {
    return this.#guard(async () => {
      const tree = this.#treeOf(claim)
      if (tree !== undefined) {
        const answer = await tree.append(events, options?.sync === true ? "disk" : this.#durability)
        if (answer !== "ok" && answer.type === "stale") this.#forget(claim.run, tree)
        return answer
      }
      return { type: "stale", message: `Claim ${claim.epoch} of run ${claim.run} is no longer held.` }
    })
  }

  read(run: string, from = 0): AsyncIterable<Stored> {
    const place = this.#place(run)
    const look = async () => {
      this.#checkOpen()
      requireRunId(run)
      return this.#look(place)
    }
    return this.#guardStream(readRun(place, run, from, look))
  }

  examine(root: string): AsyncIterable<Piece> {
    return this.#guardStream(this.#examine(root))
  }

  send(letter: Letter): Promise<"delivered" | "waiting"> {
    return this.#guard(async () => {
      requireRunId(letter.run)
      const place = this.#place(letter.run)
      const seen = await this.#look(place)
      if (!seen?.index.has(letter.run)) throw unknownRun(letter.run)
      await postLetter(place, letter)
      const tree = this.#held.get(place.root)
      if (!tree?.checkHeld()) return (await import("./jsonl/notify-owner.ts")).notifyOwner(this.#disk, place)
      tree.inbox.bell.ring()
      return "delivered"
    })
  }

  receive(claim: Claim, signal: AbortSignal): AsyncIterable<Letter & { ack(): void }> {
    return this.#guardStream(this.#receive(claim, signal))
  }

  list(query: RunQuery = {}): AsyncIterable<RunHead> {
    return this.#guardStream(this.#list(query))
  }

  follow(root: string, from: Readonly<Record<string, number>>, signal: AbortSignal): AsyncIterable<Stored> {
    return this.#guardStream(this.#follow(root, from, signal))
  }

  /** Also for a tree that is not there yet: what its first event names is kept before the event. */
  putBlob(run: string, content: string): Promise<string> {
    return this.#guard(async () => {
      requireRunId(run)
      return this.#place(run).blobs.write(content)
    })
  }

  getBlob(run: string, hash: string): Promise<string | undefined> {
    return this.#guard(async () => {
      requireRunId(run)
      return this.#place(run).blobs.read(hash)
    })
  }

  hold(run: string, key: string): Promise<"held" | { readonly run: string }> {
    return this.#guard(async () => {
      requireRunId(run)
      const endpoint = await this.#openEndpoint()
      return this.#keys.hold(run, key, { ...thisProcess(), host: os.hostname(), ...endpoint })
    })
  }

  holder(key: string): Promise<string | undefined> {
    return this.#guard(() => this.#keys.holder(key))
  }

  letGo(run: string, key: string): Promise<void> {
    return this.#guard(async () => this.#keys.letGo(run, key))
  }

  remove(root: string, options: { ended?: true } = {}): Promise<"removed" | Refusal> {
    return this.#guard(async () => {
      requireRunId(root)
      if (rootOf(root) !== root) return { type: "unknown-run" }
      this.#views.delete(root)
      const { removeTree } = await import("./jsonl/remove.ts")
      return removeTree(this.#place(root), options)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#streams.end()
    await Promise.all([...this.#held.values()].map((tree) => tree.release("leave")))
    this.#held.clear()
    this.#views.clear()
    this.#keys.close()
    if (this.#endpoint !== undefined && (await this.#endpoint.catch(() => undefined))) await closeEndpoint()
  }

  async *#receive(claim: Claim, signal: AbortSignal): AsyncGenerator<Letter & { ack(): void }> {
    this.#checkOpen()
    const tree = this.#treeOf(claim)
    if (tree === undefined) return
    const { inbox } = tree
    const stream = this.#streams.open(signal)
    const unwatch = watchPath(inboxFile(this.#place(claim.run).folder), () => inbox.bell.ring())
    try {
      while (!stream.signal.aborted && tree.checkHeld()) {
        const heard = inbox.bell.rings
        inbox.collect()
        const letter = inbox.take()
        if (letter !== undefined) yield letter
        else await inbox.bell.next(heard, stream.signal)
      }
    } finally {
      unwatch()
      stream.close()
    }
  }

  async *#list(query: RunQuery): AsyncGenerator<RunHead> {
    this.#checkOpen()
    requireQuery(query)
    const { root, limit } = query
    const { listRoots, unreadable } = await import("./jsonl/list-roots.ts")
    if (root === undefined) {
      yield* listRoots(
        this.#directory,
        query,
        (name) => this.#place(name),
        (place) => this.#look(place),
      )
      return
    }
    if (rootOf(root) !== root) return
    const index = (await this.#look(this.#place(root)))?.index
    const heads = [...(index && !index.has(root) ? [unreadable(root)] : []), ...(index?.heads() ?? [])]
    yield* afterCursor(heads, query)
      .filter((head) => matches(head, query))
      .slice(0, limit)
  }

  async *#examine(root: string): AsyncGenerator<Piece> {
    this.#checkOpen()
    requireRunId(root)
    const { examineTree } = await import("./jsonl/examine.ts")
    yield* examineTree(this.#place(rootOf(root)))
  }

  async *#follow(
    root: string,
    from: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): AsyncGenerator<Stored> {
    this.#checkOpen()
    requireRunId(root)
    const place = this.#place(root)
    if (place.root !== root || newestEpoch(place.folder) === 0) throw unknownRun(root)
    const { followTree } = await import("./jsonl/follow.ts")
    const bell = new Bell()
    const bells = this.#followers.get(root) ?? new Set()
    this.#followers.set(root, bells.add(bell))
    const stream = this.#streams.open(signal)
    const unwatch = watchPath(place.folder, () => bell.ring())
    try {
      yield* followTree(place, from, bell, stream.signal)
    } finally {
      unwatch()
      stream.close()
      bells.delete(bell)
      if (bells.size === 0) this.#followers.delete(root)
    }
  }

  async #createChild(place: Place, first: Stored): Promise<"created" | "exists"> {
    const tree = this.#held.get(place.root)
    if (!tree?.checkHeld()) {
      const seen = await this.#look(place)
      if (seen === undefined) throw unknownRun(place.root)
      if (seen.index.has(first.run)) return "exists"
      throw notClaimed(first.run)
    }
    if (tree.index.has(first.run)) return "exists"
    const result = await tree.append([first], this.#durability).catch((error) => {
      // Two may create it at once, and what the first one wrote had to wait for its blobs.
      if (tree.index.has(first.run)) return "exists" as const
      throw error
    })
    this.#keys.created(first.run)
    if (result === "ok") return "created"
    if (result === "exists") return "exists"
    switch (result.type) {
      case "limit":
        throw new CadreError("STORE_FAILED", result.message)
      case "unknown-run":
        throw unknownRun(parentOf(first.run)!)
      default:
        throw notClaimed(first.run)
    }
  }

  #openEndpoint(): ReturnType<typeof openEndpoint> {
    this.#endpoint ??= openEndpoint().catch((error) => {
      this.#endpoint = undefined
      throw error
    })
    return this.#endpoint
  }

  #place(run: string): Place {
    const root = rootOf(run)
    const folder = path.join(this.#directory, root)
    const onDamage = (message: string) => this.#onDamage({ root, message })
    return { disk: this.#disk, root, folder, blobs: new Blobs(this.#disk, folder), onDamage }
  }

  #treeOf(claim: Claim): HeldTree | undefined {
    const tree = this.#held.get(claim.run)
    return tree?.claim.epoch === claim.epoch ? tree : undefined
  }

  #forget(root: string, tree: HeldTree | undefined): void {
    if (this.#held.get(root) === tree) this.#held.delete(root)
  }

  /** Where each run's events are: known for what we own, looked up for the rest. */
  async #look(place: Place): Promise<Indexed | undefined> {
    const tree = this.#held.get(place.root)
    if (tree?.checkHeld()) return { epoch: tree.claim.epoch, index: tree.index }
    const view = this.#views.get(place.root) ?? new View(place)
    this.#views.delete(place.root)
    this.#views.set(place.root, view)
    for (const oldest of this.#views.keys())
      if (this.#views.size > rememberedViews) this.#views.delete(oldest)
    return view.refresh()
  }

  async #statusOf(run: string): Promise<RunHead["status"] | undefined> {
    const place = this.#place(run)
    if (place.root === run) return rootStatus(place)
    for (const head of (await this.#look(place))?.index.heads() ?? [])
      if (head.run === run) return head.status
    return undefined
  }

  #ring(root: string): void {
    for (const bell of this.#followers.get(root) ?? []) bell.ring()
  }

  #checkOpen(): void {
    if (this.#closed) throw new CadreError("STORE_FAILED", "This store is closed.")
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#checkOpen()
    try {
      return await work()
    } catch (error) {
      throw storeFailed(this.#directory, error)
    }
  }

  /** Not a generator around a generator: that would cost every event some extra turns. */
  #guardStream<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
    const next = () => items.next().catch((error) => Promise.reject(storeFailed(this.#directory, error)))
    return { [Symbol.asyncIterator]: () => ({ next, return: () => items.return(undefined) }) }
  }
}

const rememberedViews = 16
