import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"
import type { Claim, Refusal, Stored } from "../../../run/log/store.ts"
import { checkBatch } from "../batch.ts"
import type { Counters } from "../counters.ts"
import type { Taken } from "./claim-tree.ts"
import { storeFailed, writeAll } from "./disk.ts"
import { holdings } from "./endpoint.ts"
import { Extent } from "./extent.ts"
import { logFile, releaseLine } from "./folder.ts"
import { addHead } from "./head-index.ts"
import { Inbox } from "./inbox.ts"
import { seal } from "./line.ts"
import { markOf } from "./log-mark.ts"
import { type Packed, pack } from "./pack.ts"
import type { Place } from "./place.ts"
import type { TreeIndex } from "./tree-index.ts"

/** A tree this process owns: the only thing that writes to its log. */
export class HeldTree {
  readonly claim: Claim
  readonly nonce: string
  readonly index: TreeIndex
  readonly inbox: Inbox
  readonly #place: Place
  readonly #descriptor: number
  readonly #counters: Counters
  readonly #extent: Extent
  /** Exists as soon as somebody else has taken the tree over. */
  readonly #successor: string
  readonly #onAppend: () => void
  #size: number
  #state: State = { type: "held" }
  /** Appends that wait for their blobs, and with them every append that came later. */
  #queue: Promise<unknown> | undefined
  #syncing: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | undefined

  constructor(place: Place, taken: Taken, nonce: string, onAppend: () => void) {
    this.claim = taken.claim
    this.index = taken.index
    this.#place = place
    this.nonce = nonce
    this.#descriptor = taken.descriptor
    this.#counters = taken.counters
    this.#size = taken.size
    this.#successor = logFile(place.folder, taken.claim.epoch + 1)
    this.#onAppend = onAppend
    const { inbox, extent } = openBeside(place, taken)
    this.inbox = inbox
    this.#extent = extent
    holdings.set(nonce, () => this.inbox.bell.ring())
  }

  /** False once the tree has been given up or lost, also when nobody has tried to append since. */
  checkHeld(): boolean {
    if (this.#state.type === "held" && fs.existsSync(this.#successor)) this.#lose()
    return this.#state.type !== "gone"
  }

  async append(events: readonly Stored[], durability: "kernel" | "disk"): Promise<"ok" | Refusal> {
    const packed = events.map((event) => pack(event))
    const waits = this.#queue !== undefined || packed.some(({ contents }) => contents.length > 0)
    const refusal = waits ? await this.#enqueue(events, packed) : this.#write(events, packed)
    if (refusal !== undefined) return refusal
    const size = this.#size
    if (durability === "disk") await this.#sync()
    if (durability === "disk" && this.#state.type === "held") this.#confirm(size)
    return durability === "kernel" || this.checkHeld() ? "ok" : this.#lose()
  }

  /**
   * In one synchronous step with the last look into the inbox. A sender first writes and then asks whether we hold the
   * tree, and we answer before this step or after it: either we see the letter, or the sender learns that it waits.
   */
  async release(letters: "heed" | "leave"): Promise<"released" | "letters"> {
    await this.#settled()
    if (!this.checkHeld()) return "released"
    this.inbox.collect()
    if (this.#state.type === "held") {
      if (letters === "heed" && this.inbox.hasWaiting) return "letters"
      this.#markReleased()
    }
    this.#end("The claim was released.", "released")
    return "released"
  }

  /** Lines of one append go out in one write; the index and the counters follow what the file has. */
  #write(events: readonly Stored[], packed: readonly Packed[]): Refusal | undefined {
    if (this.#state.type === "failed") throw this.#state.error
    if (this.#state.type === "gone") return { type: "stale", message: this.#state.message }
    const refusal =
      checkBatch(this.#place.root, events, (run) => this.index.continuity.next(run)) ??
      this.#counters.check(events)
    if (refusal !== undefined) return refusal
    const lines = packed.map(({ text }, index) =>
      Buffer.from(seal(text, index < packed.length - 1 ? "more" : "last")),
    )
    try {
      writeAll(this.#place.disk, this.#descriptor, lines.length === 1 ? lines[0]! : Buffer.concat(lines))
    } catch (error) {
      throw this.#fail(error)
    }
    // After the write: if nobody had taken over by now, the takeover will find these lines.
    if (fs.existsSync(this.#successor)) return this.#lose()
    for (const [index, event] of events.entries()) {
      const length = lines[index]!.length
      this.index.add(event, this.#size, length)
      this.#counters.count(event)
      this.#size += length
    }
    this.#onAppend()
    return undefined
  }

  #enqueue(events: readonly Stored[], packed: readonly Packed[]): Promise<Refusal | undefined> {
    const before = this.#queue
    const turn = (async () => {
      // Written side by side with what is ahead in the queue: only the lines must keep their order.
      const kept = this.#keepContents(packed)
      await Promise.allSettled([before, kept])
      await kept
      return this.#write(events, packed)
    })()
    this.#queue = turn
    const done = () => {
      if (this.#queue === turn) this.#queue = undefined
    }
    turn.then(done, done)
    return turn
  }

  async #keepContents(packed: readonly Packed[]): Promise<void> {
    try {
      for (const { contents } of packed)
        for (const content of contents) await this.#place.blobs.write(content)
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** One sync answers everybody who asked before it began. A failed one is final: the kernel may have dropped the data. */
  #sync(): Promise<void> {
    if (this.#state.type === "gone") return Promise.resolve()
    this.#nextSync ??= this.#syncing.then(async () => {
      this.#syncing = this.#nextSync!
      this.#nextSync = undefined
      try {
        await this.#place.disk.sync(this.#descriptor)
      } catch (error) {
        throw this.#fail(error)
      }
    })
    return this.#nextSync
  }

  /** Whoever waits for the disk is about to do something: it must be found in the log afterwards. */
  #confirm(size: number): void {
    const file = logFile(this.#place.folder, this.claim.epoch)
    const [there, ours] = [fs.statSync(file, { throwIfNoEntry: false }), fs.fstatSync(this.#descriptor)]
    if (there?.ino !== ours.ino || there.dev !== ours.dev)
      // Another owner empties this one, and leaves it where it is.
      throw this.#fail(
        new CadreError(
          "STORE_FAILED",
          `The log of run ${this.#place.root} is no longer at ${file}: it was removed or replaced while the run was at work. ` +
            "Nothing more is done, because nothing could be recorded. What was done until now is not in any log that is left there; look for it before you start the run again.",
        ),
      )
    try {
      this.#extent.note(size)
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** Until no append and no sync is under way. */
  async #settled(): Promise<void> {
    for (;;) {
      const pending = [this.#queue, this.#syncing, this.#nextSync]
      await Promise.allSettled(pending)
      if (this.#queue === undefined && this.#nextSync === undefined && this.#syncing === pending[1]) return
    }
  }

  #markReleased(): void {
    try {
      writeAll(this.#place.disk, this.#descriptor, Buffer.from(releaseLine(this.nonce)))
    } catch {
      // Without the mark the next owner has to ask us, and we answer that we do not hold it.
      return
    }
    this.#keepHead()
  }

  /** From here on the log does not change, unless somebody takes the tree up again. */
  #keepHead(): void {
    const head = this.index.rootHead()
    if (head?.status !== "ended") return
    const mark = markOf(this.claim.epoch, fs.fstatSync(this.#descriptor))
    addHead(path.dirname(this.#place.folder), { head, mark })
  }

  #fail(error: unknown): unknown {
    if (this.#state.type === "held")
      this.#state = { type: "failed", error: storeFailed(this.#place.folder, error) }
    return this.#state.type === "failed" ? this.#state.error : error
  }

  #lose(): Refusal {
    const message = `Another process has taken over the tree of run ${this.#place.root}.`
    this.#end(message, "lost")
    return { type: "stale", message }
  }

  #end(message: string, reason: "released" | "lost"): void {
    if (this.#state.type === "gone") return
    this.#state = { type: "gone", message }
    holdings.delete(this.nonce)
    this.inbox.close(reason)
    void this.#settled().then(() => {
      this.#extent.close()
      fs.closeSync(this.#descriptor)
    })
  }
}

/** What lies beside the log. Where one of them cannot be opened, nothing stays open. */
function openBeside(
  place: Place,
  { descriptor, claim, size }: Taken,
): { readonly inbox: Inbox; readonly extent: Extent } {
  let extent: Extent | undefined
  try {
    extent = new Extent(place.folder, claim.epoch)
    // A claim has synced all of it.
    extent.note(size)
    return { inbox: new Inbox(place), extent }
  } catch (error) {
    extent?.close()
    fs.closeSync(descriptor)
    throw error
  }
}

type State =
  | { readonly type: "held" }
  /** The medium failed: the end of the file is unknown, so nothing may follow. */
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "gone"; readonly message: string }
