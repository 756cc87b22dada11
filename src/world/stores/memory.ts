import { CadreError } from "../../ground/errors.ts"
import { afterCursor, matches, orderRoots, requireQuery } from "../../run/face/run-query.ts"
import { parentOf, rootOf } from "../../run/log/id.ts"
import type { Claim, Refusal, RunQuery, Store, Stored } from "../../run/log/store.ts"
import { checkBatch, notClaimed, requireFirst, requireRunId, unknownRun } from "./batch.ts"
import { Bell } from "./bell.ts"
import { contentOf } from "./content.ts"
import { Counters } from "./counters.ts"
import { advanceHead, headOf, type OpenHead, showHead, showRoot } from "./heads.ts"
import { letterId, Mailbox } from "./mailbox.ts"

/**
 * Keeps logs in this process and nowhere else. Events are kept as they came, not copied: they must be plain JSON
 * that nobody changes afterwards. Runtimes that share one store exclude each other by their claims.
 */
export function memoryStore(): Store {
  const trees = new Map<string, Tree>()
  const blobs = new Map<string, Map<string, string>>()
  const hashes = new Map<string, string>()
  /** The run that has a key, and those of them that are still to be created. */
  const holders = new Map<string, string>()
  const starting = new Set<string>()
  let closed = false

  const open = () => {
    if (closed) throw new CadreError("STORE_FAILED", "This store is closed.")
  }

  const isOpen = (run: string) => trees.get(rootOf(run))?.runs.get(run)?.head.status === "open"

  const activeHolder = (key: string): string | undefined => {
    const run = holders.get(key)
    return run !== undefined && (starting.has(run) || isOpen(run)) ? run : undefined
  }

  /** Heads are made when their turn comes: whoever stops early does not wait for the rest. */
  const headsOf = (query: RunQuery) => {
    if (query.root === undefined)
      return orderRoots([...trees.keys()], query).map((root) => () => {
        const runs = trees.get(root)?.runs
        const head = runs?.get(root)?.head
        return head && showRoot(head, headsIn(runs!))
      })
    const runs = trees.get(query.root)?.runs ?? new Map<string, Run>()
    return afterCursor([...headsIn(runs)], query).map(
      (head) => () => (head.run === query.root ? showRoot(head, headsIn(runs)) : showHead(head)),
    )
  }

  /** The tree, while this claim is the newest one and has not been given up. */
  const heldBy = (claim: Claim): Tree | undefined => {
    open()
    const tree = trees.get(claim.run)
    return tree?.held === true && tree.epoch === claim.epoch ? tree : undefined
  }

  return {
    async create(first) {
      open()
      requireFirst(first)
      starting.delete(first.run)
      const tree = trees.get(rootOf(first.run))
      if (tree?.runs.has(first.run)) return "exists"
      if (tree === undefined) {
        if (parentOf(first.run) !== undefined) throw unknownRun(rootOf(first.run))
        const created = createTree()
        keep(created, first)
        trees.set(first.run, created)
        return "created"
      }
      if (!tree.held) throw notClaimed(first.run)
      const refusal = admit(tree, rootOf(first.run), [first])
      if (refusal === undefined) return "created"
      if (refusal.type === "limit") throw new CadreError("STORE_FAILED", refusal.message)
      throw unknownRun(parentOf(first.run)!)
    },

    async claim(run, options) {
      open()
      requireRunId(run)
      const tree = trees.get(rootOf(run))
      if (tree === undefined || !tree.runs.has(run)) return { type: "unknown-run" }
      if (tree.held && options?.force !== true)
        return { type: "owned", by: `another runtime in this process (pid ${process.pid})` }
      tree.epoch++
      tree.held = true
      tree.mailbox.reopen()
      tree.letterBell.ring()
      return Object.freeze<Claim>({ run: rootOf(run), epoch: tree.epoch, covers: "tree" })
    },

    async release(claim) {
      const tree = heldBy(claim)
      if (tree === undefined) return "released"
      if (tree.mailbox.hasWaiting) return "letters"
      tree.held = false
      tree.letterBell.ring()
      return "released"
    },

    async append(claim, events) {
      const tree = heldBy(claim)
      if (tree !== undefined) return admit(tree, claim.run, events) ?? "ok"
      return { type: "stale", message: `Claim ${claim.epoch} of run ${claim.run} is no longer held.` }
    },

    async *read(run, from = 0) {
      open()
      requireRunId(run)
      const events = trees.get(rootOf(run))?.runs.get(run)?.events ?? []
      for (let seq = from; seq < events.length; seq++) yield events[seq]!
    },

    async send(letter) {
      open()
      requireRunId(letter.run)
      const tree = trees.get(rootOf(letter.run))
      if (tree === undefined || !tree.runs.has(letter.run)) throw unknownRun(letter.run)
      if (tree.mailbox.add(letter)) tree.letterBell.ring()
      return tree.held ? "delivered" : "waiting"
    },

    async *receive(claim, signal) {
      for (let tree = heldBy(claim); tree !== undefined && !signal.aborted; tree = heldBy(claim)) {
        const { mailbox, letterBell } = tree
        const heard = letterBell.rings
        const letter = mailbox.take()
        if (letter !== undefined) yield { ...letter, ack: () => mailbox.acknowledge(letterId(letter)) }
        else await letterBell.next(heard, signal)
        if (closed) return
      }
    },

    async *list(query: RunQuery = {}) {
      open()
      requireQuery(query)
      let left = query.limit ?? Number.POSITIVE_INFINITY
      for (const shown of headsOf(query)) {
        if (left <= 0) return
        const head = shown()
        if (head === undefined || !matches(head, query)) continue
        left--
        yield head
      }
    },

    async *follow(root, from, signal) {
      open()
      requireRunId(root)
      const tree = trees.get(root)
      if (tree === undefined) throw unknownRun(root)
      for (let index = 0; !signal.aborted; ) {
        const heard = tree.bell.rings
        for (; index < tree.order.length && !signal.aborted; index++) {
          const event = tree.order[index]!
          if (event.seq >= (from[event.run] ?? 0)) yield event
        }
        if (closed || trees.get(root) !== tree) return
        await tree.bell.next(heard, signal)
      }
    },

    async putBlob(run, content) {
      open()
      requireRunId(run)
      const kept = blobs.get(rootOf(run)) ?? new Map<string, string>()
      blobs.set(rootOf(run), kept)
      // The runs of one agent keep the same text again and again.
      const hash = hashes.get(content) ?? contentOf(content).hash
      if (hashes.size >= mostHashes) hashes.clear()
      hashes.set(content, hash)
      kept.set(hash, content)
      return hash
    },

    async getBlob(run, hash) {
      open()
      requireRunId(run)
      return blobs.get(rootOf(run))?.get(hash)
    },

    async hold(run, key) {
      open()
      requireRunId(run)
      const holder = activeHolder(key)
      if (holder !== undefined && holder !== run) return { run: holder }
      holders.set(key, run)
      if (!isOpen(run)) starting.add(run)
      return "held"
    },

    async holder(key) {
      open()
      return activeHolder(key)
    },

    async letGo(run, key) {
      open()
      starting.delete(run)
      if (holders.get(key) === run) holders.delete(key)
    },

    async remove(root, options) {
      open()
      requireRunId(root)
      const tree = trees.get(root)
      if (tree === undefined) return { type: "unknown-run" }
      if (tree.held) return { type: "owned", by: `a runtime in this process (pid ${process.pid})` }
      const unended = [...headsIn(tree.runs)].find(({ status }) => status === "open")
      if (options?.ended && unended) return { type: "open", run: unended.run }
      trees.delete(root)
      blobs.delete(root)
      tree.bell.ring()
      tree.letterBell.ring()
      return "removed"
    },

    async close() {
      closed = true
      for (const tree of trees.values()) {
        tree.held = false
        tree.bell.ring()
        tree.letterBell.ring()
      }
    },
  }
}

const mostHashes = 32

function* headsIn(runs: ReadonlyMap<string, Run>): Generator<OpenHead> {
  for (const { head } of runs.values()) yield head
}

interface Tree {
  readonly runs: Map<string, Run>
  /** Every event of the tree as recorded: what `follow` walks along. */
  readonly order: Stored[]
  readonly counters: Counters
  readonly mailbox: Mailbox
  /** For those who follow events. */
  readonly bell: Bell
  /** For its owner: an event, of which there are many, is no letter. */
  readonly letterBell: Bell
  epoch: number
  held: boolean
}

interface Run {
  readonly head: OpenHead
  readonly events: Stored[]
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
    held: false,
  }
}

function admit(tree: Tree, root: string, events: readonly Stored[]): Refusal | undefined {
  const refusal =
    checkBatch(root, events, (run) => tree.runs.get(run)?.events.length) ?? tree.counters.check(events)
  if (refusal !== undefined) return refusal
  for (const event of events) keep(tree, event)
  tree.bell.ring()
  return undefined
}

function keep(tree: Tree, event: Stored): void {
  const run = tree.runs.get(event.run)
  if (run === undefined) tree.runs.set(event.run, { head: headOf(event), events: [event] })
  else {
    run.events.push(event)
    advanceHead(run.head, event)
  }
  tree.order.push(event)
  tree.counters.count(event)
}
