import { CadreError } from "../../ground/errors.ts"
import { matchesQuery, orderRoots, requireQuery, skipToCursor } from "../../run/face/run-query.ts"
import { findParentRun, getRootRun } from "../../run/log/id.ts"
import type { Claim, RunQuery, Store, StoredEvent, StoreRefusal } from "../../run/log/store.ts"
import {
  checkBatch,
  createNotClaimedError,
  createUnknownRunError,
  requireFirst,
  requireRunId,
} from "./batch.ts"
import { Bell } from "./bell.ts"
import { encodeContent } from "./content.ts"
import { Counters } from "./counters.ts"
import { advanceHead, createHead, type OpenHead, showHead, showRoot } from "./heads.ts"
import { identifyLetter, Mailbox } from "./mailbox.ts"

/**
 * Stores logs in the memory of this process only. Events are stored as they come, without a copy: they must be plain
 * JSON and never change. Runtimes that share one store exclude each other by their claims.
 *
 * @example
 * ```ts
 * import { createRuntime, memoryStore } from "cadre"
 *
 * const runtime = createRuntime({ store: memoryStore() })
 * for await (const { run } of runtime.list()) console.log(run)
 * ```
 */
export function memoryStore(): Store {
  const trees = new Map<string, Tree>()
  const blobs = new Map<string, Map<string, string>>()
  const hashes = new Map<string, string>()
  /** The run that holds each key. `starting` are holders that are not created yet. */
  const holders = new Map<string, string>()
  const starting = new Set<string>()
  let closed = false

  const checkOpen = () => {
    if (closed) throw new CadreError("STORE_FAILED", "This store is closed.")
  }

  const isOpen = (run: string) => trees.get(getRootRun(run))?.runs.get(run)?.head.status === "open"

  const activeHolder = (key: string): string | undefined => {
    const run = holders.get(key)
    return run !== undefined && (starting.has(run) || isOpen(run)) ? run : undefined
  }

  /** Heads are made one at a time, so that a caller that stops early does not wait for the rest. */
  const headsOf = (query: RunQuery) => {
    if (query.root === undefined)
      return orderRoots([...trees.keys()], query).map((root) => () => {
        const runs = trees.get(root)?.runs
        const head = runs?.get(root)?.head
        return head && showRoot(head, headsIn(runs!))
      })
    const runs = trees.get(query.root)?.runs ?? new Map<string, Run>()
    return skipToCursor([...headsIn(runs)], query).map(
      (head) => () => (head.run === query.root ? showRoot(head, headsIn(runs)) : showHead(head)),
    )
  }

  /** The tree of a claim, while the claim is the newest one and not released. */
  const ownedTree = (claim: Claim): Tree | undefined => {
    checkOpen()
    const tree = trees.get(claim.run)
    return tree?.isHeld === true && tree.epoch === claim.epoch ? tree : undefined
  }

  return {
    async create(first) {
      checkOpen()
      requireFirst(first)
      starting.delete(first.run)
      const tree = trees.get(getRootRun(first.run))
      if (tree?.runs.has(first.run)) return "exists"
      if (tree === undefined) {
        if (findParentRun(first.run) !== undefined) throw createUnknownRunError(getRootRun(first.run))
        const newTree = createTree()
        keep(newTree, first)
        trees.set(first.run, newTree)
        return "created"
      }
      if (!tree.isHeld) throw createNotClaimedError(first.run)
      const refusal = admit(tree, getRootRun(first.run), [first])
      if (refusal === undefined) return "created"
      if (refusal.type === "limit") throw new CadreError("STORE_FAILED", refusal.message)
      throw createUnknownRunError(findParentRun(first.run)!)
    },

    async claim(run, options) {
      checkOpen()
      requireRunId(run)
      const tree = trees.get(getRootRun(run))
      if (tree === undefined || !tree.runs.has(run)) return { type: "unknown-run" }
      if (tree.isHeld && options?.force !== true)
        return { type: "owned", by: `another runtime in this process (pid ${process.pid})` }
      tree.epoch++
      tree.isHeld = true
      tree.mailbox.reopen()
      tree.letterBell.ring()
      return Object.freeze<Claim>({ run: getRootRun(run), epoch: tree.epoch, covers: "tree" })
    },

    async release(claim, letters = "heed") {
      const tree = ownedTree(claim)
      if (tree === undefined) return "released"
      if (letters === "heed" && tree.mailbox.hasWaiting) return "letters"
      tree.isHeld = false
      tree.letterBell.ring()
      return "released"
    },

    async append(claim, events) {
      const tree = ownedTree(claim)
      if (tree !== undefined) return admit(tree, claim.run, events) ?? "ok"
      return { type: "stale", message: `Claim ${claim.epoch} of run ${claim.run} is no longer held.` }
    },

    async *read(run, from = 0) {
      checkOpen()
      requireRunId(run)
      const events = trees.get(getRootRun(run))?.runs.get(run)?.events ?? []
      for (let seq = from; seq < events.length; seq++) yield events[seq]!
    },

    async send(letter) {
      checkOpen()
      requireRunId(letter.run)
      const tree = trees.get(getRootRun(letter.run))
      if (tree === undefined || !tree.runs.has(letter.run)) throw createUnknownRunError(letter.run)
      if (tree.mailbox.add(letter)) tree.letterBell.ring()
      return tree.isHeld ? "delivered" : "waiting"
    },

    async *receive(claim, signal) {
      for (let tree = ownedTree(claim); tree !== undefined && !signal.aborted; tree = ownedTree(claim)) {
        const { mailbox, letterBell } = tree
        const rings = letterBell.rings
        const letter = mailbox.take()
        if (letter !== undefined) yield { ...letter, ack: () => mailbox.acknowledge(identifyLetter(letter)) }
        else await letterBell.next(rings, signal)
        if (closed) return
      }
    },

    async *list(query: RunQuery = {}) {
      checkOpen()
      requireQuery(query)
      let remaining = query.limit ?? Number.POSITIVE_INFINITY
      for (const makeHead of headsOf(query)) {
        if (remaining <= 0) return
        const head = makeHead()
        if (head === undefined || !matchesQuery(head, query)) continue
        remaining--
        yield head
      }
    },

    async *follow(root, from, signal) {
      checkOpen()
      requireRunId(root)
      const tree = trees.get(root)
      if (tree === undefined) throw createUnknownRunError(root)
      for (let index = 0; !signal.aborted; ) {
        const rings = tree.bell.rings
        for (; index < tree.order.length && !signal.aborted; index++) {
          const event = tree.order[index]!
          if (event.seq >= (from[event.run] ?? 0)) yield event
        }
        if (closed || trees.get(root) !== tree) return
        await tree.bell.next(rings, signal)
      }
    },

    async putBlob(run, content) {
      checkOpen()
      requireRunId(run)
      const treeBlobs = blobs.get(getRootRun(run)) ?? new Map<string, string>()
      blobs.set(getRootRun(run), treeBlobs)
      // The runs of one agent store the same text many times.
      const hash = hashes.get(content) ?? encodeContent(content).hash
      if (hashes.size >= maxHashes) hashes.clear()
      hashes.set(content, hash)
      treeBlobs.set(hash, content)
      return hash
    },

    async getBlob(run, hash) {
      checkOpen()
      requireRunId(run)
      return blobs.get(getRootRun(run))?.get(hash)
    },

    async hold(run, key) {
      checkOpen()
      requireRunId(run)
      const holder = activeHolder(key)
      if (holder !== undefined && holder !== run) return { run: holder }
      holders.set(key, run)
      if (!isOpen(run)) starting.add(run)
      return "held"
    },

    async holder(key) {
      checkOpen()
      return activeHolder(key)
    },

    async letGo(run, key) {
      checkOpen()
      starting.delete(run)
      if (holders.get(key) === run) holders.delete(key)
    },

    async remove(root, options) {
      checkOpen()
      requireRunId(root)
      const tree = trees.get(root)
      if (tree === undefined) return { type: "unknown-run" }
      if (tree.isHeld) return { type: "owned", by: `a runtime in this process (pid ${process.pid})` }
      const openRun = [...headsIn(tree.runs)].find(({ status }) => status === "open")
      if (options?.ended && openRun) return { type: "open", run: openRun.run }
      trees.delete(root)
      blobs.delete(root)
      tree.bell.ring()
      tree.letterBell.ring()
      return "removed"
    },

    async close() {
      closed = true
      for (const tree of trees.values()) {
        tree.bell.ring()
        tree.letterBell.ring()
      }
    },
  }
}

const maxHashes = 32

function* headsIn(runs: ReadonlyMap<string, Run>): Generator<OpenHead> {
  for (const { head } of runs.values()) yield head
}

interface Tree {
  readonly runs: Map<string, Run>
  /** All events of the tree in recorded order, for `follow`. */
  readonly order: StoredEvent[]
  readonly counters: Counters
  readonly mailbox: Mailbox
  /** Wakes followers of events. */
  readonly bell: Bell
  /** Wakes the owner when a letter arrives. Events, which are far more frequent, do not ring this bell. */
  readonly letterBell: Bell
  epoch: number
  isHeld: boolean
}

interface Run {
  readonly head: OpenHead
  readonly events: StoredEvent[]
}

function createTree(): Tree {
  return {
    runs: new Map(),
    order: [],
    counters: new Counters(),
    mailbox: new Mailbox(),
    bell: new Bell(),
    letterBell: new Bell(),
    epoch: 0,
    isHeld: false,
  }
}

function admit(tree: Tree, root: string, events: readonly StoredEvent[]): StoreRefusal | undefined {
  const refusal =
    checkBatch(root, events, (run) => tree.runs.get(run)?.events.length) ?? tree.counters.check(events)
  if (refusal !== undefined) return refusal
  for (const event of events) keep(tree, event)
  tree.bell.ring()
  return undefined
}

function keep(tree: Tree, event: StoredEvent): void {
  const run = tree.runs.get(event.run)
  if (run === undefined) tree.runs.set(event.run, { head: createHead(event), events: [event] })
  else {
    run.events.push(event)
    advanceHead(run.head, event)
  }
  tree.order.push(event)
  tree.counters.count(event)
}
