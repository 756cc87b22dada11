import os from "node:os"
import path from "node:path"
import { makeRandomBytes } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import { matchesQuery, requireQuery, skipToCursor } from "../../run/face/run-query.ts"
import { findParentRun, getRootRun } from "../../run/log/id.ts"
import type {
  Claim,
  Letter,
  LogPiece,
  RunHead,
  RunQuery,
  Store,
  StoredEvent,
  StoreRefusal,
} from "../../run/log/store.ts"
import {
  createNotClaimedError,
  createUnknownRunError,
  requireFirst,
  requireRunId,
  toCreateResult,
} from "./batch.ts"
import { Blobs } from "./jsonl/blobs.ts"
import { describeRelativePath, locateDefaultDirectory } from "./jsonl/directory.ts"
import { type Disk, realDisk, toStoreError } from "./jsonl/disk.ts"
import { closeEndpoint, heldClaims, openEndpoint } from "./jsonl/endpoint.ts"
import { findNewestEpoch } from "./jsonl/folder.ts"
import { Followers } from "./jsonl/followers.ts"
import { locateInbox, postLetter } from "./jsonl/inbox.ts"
import { RunKeys } from "./jsonl/keys.ts"
import { type JsonlOptions, jsonlOptions } from "./jsonl/options.ts"
import { readThisProcess } from "./jsonl/owner.ts"
import { pack } from "./jsonl/pack.ts"
import type { TreePlace } from "./jsonl/place.ts"
import { RecentViews } from "./jsonl/recent-views.ts"
import { readRootStatus } from "./jsonl/root-status.ts"
import { Streams } from "./jsonl/streams.ts"
import type { TreeWriter } from "./jsonl/tree-writer.ts"
import { type IndexedLog, readRun } from "./jsonl/view.ts"
import { watchPath } from "./jsonl/watch.ts"

export type { JsonlOptions } from "./jsonl/options.ts"

/**
 * Stores logs in plain files: one folder per tree on one host, owned by one process at a time. Creates and opens
 * nothing before its first use. A stale owner can never add to a log.
 *
 * Files cannot stop an effect, though. After a forced takeover of an owner that could not be killed, each call in
 * flight may still have one unrecorded effect.
 *
 * @example
 * ```ts
 * import { createRuntime, jsonlStore } from "cadre"
 *
 * const runtime = createRuntime({ store: jsonlStore({ directory: "/var/lib/app/runs", sync: "every" }) })
 * for await (const { run, agent, status } of runtime.list()) console.log(run, agent, status)
 * ```
 */
export function jsonlStore(options: JsonlOptions = {}): Store {
  requireKnownOptions("jsonlStore", options, jsonlOptions)
  return new JsonlStore(options)
}

/** Programs that only define agents or read logs never load this code. */
const loadWriting = () => import("./jsonl/writing.ts")

class JsonlStore implements Store {
  readonly #directory: string
  readonly #durability: "kernel" | "disk"
  readonly #onDamage: NonNullable<JsonlOptions["onDamage"]>
  readonly #disk: Disk
  readonly #ownedTrees = new Map<string, TreeWriter>()
  /** Recently read logs that this process does not own. */
  readonly #views = new RecentViews()
  readonly #followers = new Followers()
  /** Open `receive` and `follow` streams, which end when the store is closed. */
  readonly #streams = new Streams()
  readonly #keys: RunKeys
  #endpoint: ReturnType<typeof openEndpoint> | undefined
  #closed = false

  constructor(options: JsonlOptions) {
    const { directory = locateDefaultDirectory() } = options
    if (!path.isAbsolute(directory))
      throw new CadreError("OPTION_INVALID", `jsonlStore: \`directory\` ${describeRelativePath(directory)}`)
    this.#directory = path.normalize(directory)
    this.#durability = options.sync === "every" ? "disk" : "kernel"
    this.#onDamage = options.onDamage ?? (() => {})
    this.#disk = options.disk ?? realDisk
    this.#keys = new RunKeys(path.join(this.#directory, "keys"), (run) => this.#statusOf(run))
  }

  create(first: StoredEvent): Promise<"created" | "exists"> {
    return this.#guard(async () => {
      requireFirst(first)
      const place = this.#place(first.run)
      if (findParentRun(first.run) !== undefined) return this.#createChild(place, first)
      if (findNewestEpoch(place.folder) > 0) return "exists"
      const { text, contents } = pack(first)
      for (const content of contents) await place.blobs.write(content)
      const { createLog } = await loadWriting()
      const created = await createLog(place, text)
      this.#keys.created(first.run)
      return created ? "created" : "exists"
    })
  }

  claim(run: string, options: { force?: true; repair?: true } = {}): Promise<Claim | StoreRefusal> {
    return this.#guard(async () => {
      requireRunId(run)
      const place = this.#place(run)
      const current = this.#ownedTrees.get(place.root)
      if (current?.checkOwned() && options.force !== true)
        return current.index.has(run)
          ? { type: "owned", by: `this process (pid ${process.pid})` }
          : { type: "unknown-run" }
      if (findNewestEpoch(place.folder) === 0) return { type: "unknown-run" }
      const { claimTree, TreeWriter } = await loadWriting()
      // A socket that is opened after the store was closed would stay open.
      this.#checkOpen()
      const endpoint = await this.#openEndpoint()
      const nonce = makeRandomBytes(12).toString("hex")
      const owner = { ...readThisProcess(), host: os.hostname(), ...endpoint, nonce }
      // This is set before other processes can see the log: one that asks must not hear that we do not hold it.
      heldClaims.set(nonce, () => {})
      try {
        const takeover = await claimTree(place, run, owner, options)
        if (takeover.type !== "taken") return takeover
        const tree = new TreeWriter(place, takeover, nonce, () => this.#followers.ring(place.root))
        current?.checkOwned()
        this.#ownedTrees.set(place.root, tree)
        if (this.#closed) await tree.release("leave")
        return tree.claim
      } finally {
        if (this.#ownedTrees.get(place.root)?.nonce !== nonce) heldClaims.delete(nonce)
      }
    })
  }

  release(claim: Claim, letters: "heed" | "leave" = "heed"): Promise<"released" | "letters"> {
    return this.#guard(async () => {
      const tree = this.#treeOf(claim)
      const result = (await tree?.release(letters)) ?? "released"
      if (result === "released") this.#forget(claim.run, tree)
      return result
    })
  }

  append(
    claim: Claim,
    events: readonly StoredEvent[],
    options?: { sync?: true },
  ): Promise<"ok" | StoreRefusal> {
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

  read(run: string, from = 0): AsyncIterable<StoredEvent> {
    const place = this.#place(run)
    const look = async () => {
      this.#checkOpen()
      requireRunId(run)
      return this.#look(place)
    }
    return this.#guardStream(readRun(place, run, from, look))
  }

  examine(root: string): AsyncIterable<LogPiece> {
    return this.#guardStream(this.#examine(root))
  }

  send(letter: Letter): Promise<"delivered" | "waiting"> {
    return this.#guard(async () => {
      requireRunId(letter.run)
      const place = this.#place(letter.run)
      const log = await this.#look(place)
      if (!log?.index.has(letter.run)) throw createUnknownRunError(letter.run)
      await postLetter(place, letter)
      const tree = this.#ownedTrees.get(place.root)
      if (!tree?.checkOwned()) return (await import("./jsonl/notify-owner.ts")).notifyOwner(this.#disk, place)
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

  follow(
    root: string,
    from: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): AsyncIterable<StoredEvent> {
    return this.#guardStream(this.#follow(root, from, signal))
  }

  /** Works for a tree that does not exist yet, because the blobs of a first event are written before the event. */
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
      return this.#keys.hold(run, key, { ...readThisProcess(), host: os.hostname(), ...endpoint })
    })
  }

  holder(key: string): Promise<string | undefined> {
    return this.#guard(() => this.#keys.holder(key))
  }

  letGo(run: string, key: string): Promise<void> {
    return this.#guard(async () => this.#keys.letGo(run, key))
  }

  remove(root: string, options: { ended?: true } = {}): Promise<"removed" | StoreRefusal> {
    return this.#guard(async () => {
      requireRunId(root)
      if (getRootRun(root) !== root) return { type: "unknown-run" }
      this.#views.delete(root)
      const { removeTree } = await import("./jsonl/remove.ts")
      return removeTree(this.#place(root), options)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#streams.end()
    await Promise.all([...this.#ownedTrees.values()].map((tree) => tree.release("leave")))
    this.#ownedTrees.clear()
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
    const unwatch = watchPath(locateInbox(this.#place(claim.run).folder), () => inbox.bell.ring())
    try {
      while (!stream.signal.aborted && tree.checkOwned()) {
        const rings = inbox.bell.rings
        inbox.collect()
        const letter = inbox.take()
        if (letter !== undefined) yield letter
        else await inbox.bell.next(rings, stream.signal)
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
    const { listRoots, createUnreadableHead } = await import("./jsonl/list-roots.ts")
    if (root === undefined) {
      yield* listRoots(
        this.#directory,
        query,
        (name) => this.#place(name),
        (place) => this.#look(place),
      )
      return
    }
    if (getRootRun(root) !== root) return
    const index = (await this.#look(this.#place(root)))?.index
    const heads = [
      ...(index && !index.has(root) ? [createUnreadableHead(root)] : []),
      ...(index?.heads() ?? []),
    ]
    yield* skipToCursor(heads, query)
      .filter((head) => matchesQuery(head, query))
      .slice(0, limit)
  }

  async *#examine(root: string): AsyncGenerator<LogPiece> {
    this.#checkOpen()
    requireRunId(root)
    const { examineTree } = await import("./jsonl/examine.ts")
    yield* examineTree(this.#place(getRootRun(root)))
  }

  async *#follow(
    root: string,
    from: Readonly<Record<string, number>>,
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent> {
    this.#checkOpen()
    requireRunId(root)
    const place = this.#place(root)
    if (place.root !== root || findNewestEpoch(place.folder) === 0) throw createUnknownRunError(root)
    const { followTree } = await import("./jsonl/follow.ts")
    const bell = this.#followers.add(root)
    const stream = this.#streams.open(signal)
    const unwatch = watchPath(place.folder, () => bell.ring())
    try {
      yield* followTree(place, from, bell, stream.signal)
    } finally {
      unwatch()
      stream.close()
      this.#followers.delete(root, bell)
    }
  }

  async #createChild(place: TreePlace, first: StoredEvent): Promise<"created" | "exists"> {
    const tree = this.#ownedTrees.get(place.root)
    if (!tree?.checkOwned()) {
      const log = await this.#look(place)
      if (log === undefined) throw createUnknownRunError(place.root)
      if (log.index.has(first.run)) return "exists"
      throw createNotClaimedError(first.run)
    }
    if (tree.index.has(first.run)) return "exists"
    const result = await tree.append([first], this.#durability).catch((error) => {
      // Two callers may create the run at once, and the first one's write may have waited for its blobs.
      if (tree.index.has(first.run)) return "exists" as const
      throw error
    })
    this.#keys.created(first.run)
    return toCreateResult(first.run, result)
  }

  #openEndpoint(): ReturnType<typeof openEndpoint> {
    this.#endpoint ??= openEndpoint().catch((error) => {
      this.#endpoint = undefined
      throw error
    })
    return this.#endpoint
  }

  #place(run: string): TreePlace {
    const root = getRootRun(run)
    const folder = path.join(this.#directory, root)
    const onDamage = (message: string) => this.#onDamage({ root, message })
    return { disk: this.#disk, root, folder, blobs: new Blobs(this.#disk, folder), onDamage }
  }

  #treeOf(claim: Claim): TreeWriter | undefined {
    const tree = this.#ownedTrees.get(claim.run)
    return tree?.claim.epoch === claim.epoch ? tree : undefined
  }

  #forget(root: string, tree: TreeWriter | undefined): void {
    if (this.#ownedTrees.get(root) === tree) this.#ownedTrees.delete(root)
  }

  /** Finds the index of a tree: in memory for a tree that we own, read from its log for any other. */
  async #look(place: TreePlace): Promise<IndexedLog | undefined> {
    const tree = this.#ownedTrees.get(place.root)
    if (tree?.checkOwned()) return { epoch: tree.claim.epoch, index: tree.index }
    return this.#views.read(place)
  }

  async #statusOf(run: string): Promise<RunHead["status"] | undefined> {
    const place = this.#place(run)
    if (place.root === run) return readRootStatus(place)
    for (const head of (await this.#look(place))?.index.heads() ?? [])
      if (head.run === run) return head.status
    return undefined
  }

  #checkOpen(): void {
    if (this.#closed) throw new CadreError("STORE_FAILED", "This store is closed.")
  }

  async #guard<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#checkOpen()
    try {
      return await work()
    } catch (error) {
      throw toStoreError(this.#directory, error)
    }
  }

  /** Wrapping a generator in another generator would delay every event by some turns of the event loop. */
  #guardStream<Item>(items: AsyncGenerator<Item>): AsyncIterable<Item> {
    const next = () => items.next().catch((error) => Promise.reject(toStoreError(this.#directory, error)))
    return { [Symbol.asyncIterator]: () => ({ next, return: () => items.return(undefined) }) }
  }
}
