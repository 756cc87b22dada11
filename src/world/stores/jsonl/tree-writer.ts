import fs from "node:fs"
import path from "node:path"
import { CadreError } from "../../../ground/errors.ts"
import type { Claim, StoredEvent, StoreRefusal } from "../../../run/log/store.ts"
import { checkBatch } from "../batch.ts"
import type { Counters } from "../counters.ts"
import type { ClaimedLog } from "./claim-tree.ts"
import { toStoreError, writeAll } from "./disk.ts"
import { heldClaims } from "./endpoint.ts"
import { Extent } from "./extent.ts"
import { logFile, writeReleaseLine } from "./folder.ts"
import { addHead } from "./head-index.ts"
import { Inbox } from "./inbox.ts"
import { seal } from "./line.ts"
import { markOf } from "./log-mark.ts"
import { type Packed, pack } from "./pack.ts"
import type { TreePlace } from "./place.ts"
import type { TreeIndex } from "./tree-index.ts"

/** A tree that this process owns. Only this class writes to its log. */
export class TreeWriter {
  readonly claim: Claim
  readonly nonce: string
  readonly index: TreeIndex
  readonly inbox: Inbox
  readonly #place: TreePlace
  readonly #descriptor: number
  readonly #counters: Counters
  readonly #extent: Extent
  /** The log file of the next owner. If it exists, another process has taken the tree over. */
  readonly #successor: string
  readonly #onAppend: () => void
  #size: number
  #state: State = { type: "held" }
  /** The last waiting append. Appends wait for their blobs, and for all earlier appends. */
  #queue: Promise<unknown> | undefined
  #syncing: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | undefined

  constructor(place: TreePlace, takeover: ClaimedLog, nonce: string, onAppend: () => void) {
    this.claim = takeover.claim
    this.index = takeover.index
    this.#place = place
    this.nonce = nonce
    this.#descriptor = takeover.descriptor
    this.#counters = takeover.counters
    this.#size = takeover.size
    this.#successor = logFile(place.folder, takeover.claim.epoch + 1)
    this.#onAppend = onAppend
    const { inbox, extent } = openBeside(place, takeover)
    this.inbox = inbox
    this.#extent = extent
    heldClaims.set(nonce, () => this.inbox.bell.ring())
  }

  /** False once the tree was released or lost, even if nothing was appended since. */
  checkOwned(): boolean {
    if (this.#state.type === "held" && fs.existsSync(this.#successor)) this.#lose()
    return this.#state.type !== "gone"
  }

  async append(events: readonly StoredEvent[], durability: "kernel" | "disk"): Promise<"ok" | StoreRefusal> {
    const packed = events.map((event) => pack(event))
    const mustWait = this.#queue !== undefined || packed.some(({ contents }) => contents.length > 0)
    const refusal = mustWait ? await this.#enqueue(events, packed) : this.#write(events, packed)
    if (refusal !== undefined) return refusal
    const size = this.#size
    if (durability === "disk") await this.#sync()
    if (durability === "disk" && this.#state.type === "held") this.#confirm(size)
    return durability === "kernel" || this.checkOwned() ? "ok" : this.#lose()
  }

  /**
   * The last look into the inbox and the release are one synchronous step. A sender first writes its letter and then
   * asks whether we hold the tree. We answer before or after this step, so either we see the letter, or the sender
   * learns that it waits.
   */
  async release(letters: "heed" | "leave"): Promise<"released" | "letters"> {
    await this.#whenIdle()
    if (!this.checkOwned()) return "released"
    this.inbox.collect()
    if (this.#state.type === "held") {
      if (letters === "heed" && this.inbox.hasWaiting) return "letters"
      this.#markReleased()
    }
    this.#end("The claim was released.", "released")
    return "released"
  }

  /** Writes the lines of one append in one call. The index and the counters are updated after the write. */
  #write(events: readonly StoredEvent[], packed: readonly Packed[]): StoreRefusal | undefined {
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
    // This check comes after the write: a takeover that starts later will find these lines.
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

  #enqueue(events: readonly StoredEvent[], packed: readonly Packed[]): Promise<StoreRefusal | undefined> {
    const before = this.#queue
    const turn = (async () => {
      // Blobs are written in parallel with earlier appends. Only the lines must keep their order.
      const writes = this.#keepContents(packed)
      await Promise.allSettled([before, writes])
      await writes
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

  /**
   * One sync serves all callers that asked before it began. A failed sync is final, because the kernel may have dropped
   * the data.
   */
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

  /** A caller that waits for the disk is about to cause an effect, so its event must be found in the log afterwards. */
  #confirm(size: number): void {
    const file = logFile(this.#place.folder, this.claim.epoch)
    const [fileStats, ownStats] = [
      fs.statSync(file, { throwIfNoEntry: false }),
      fs.fstatSync(this.#descriptor),
    ]
    if (fileStats?.ino !== ownStats.ino || fileStats.dev !== ownStats.dev)
      // A takeover would have emptied the file and left it in place.
      throw this.#fail(
        new CadreError(
          "STORE_FAILED",
          `The log of run ${this.#place.root} is no longer at ${file}: it was removed or replaced while the run was working. ` +
            "The run stops, because nothing can be recorded any more. Its actions so far are in no log that remains there: check for their effects before you start the run again.",
        ),
      )
    try {
      this.#extent.record(size)
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** Resolves when no append and no sync is running. */
  async #whenIdle(): Promise<void> {
    for (;;) {
      const pending = [this.#queue, this.#syncing, this.#nextSync]
      await Promise.allSettled(pending)
      if (this.#queue === undefined && this.#nextSync === undefined && this.#syncing === pending[1]) return
    }
  }

  #markReleased(): void {
    try {
      writeAll(this.#place.disk, this.#descriptor, Buffer.from(writeReleaseLine(this.nonce)))
    } catch {
      // Without the mark the next owner has to ask us, and we answer that we do not hold the tree.
      return
    }
    this.#keepHead()
  }

  /** From here on the log does not change, unless a process claims the tree again. */
  #keepHead(): void {
    const head = this.index.rootHead()
    if (head?.status !== "ended") return
    const mark = markOf(this.claim.epoch, fs.fstatSync(this.#descriptor))
    addHead(path.dirname(this.#place.folder), { head, mark })
  }

  #fail(error: unknown): unknown {
    if (this.#state.type === "held")
      this.#state = { type: "failed", error: toStoreError(this.#place.folder, error) }
    return this.#state.type === "failed" ? this.#state.error : error
  }

  #lose(): StoreRefusal {
    const message = `Another process has taken over the tree of run ${this.#place.root}.`
    this.#end(message, "lost")
    return { type: "stale", message }
  }

  #end(message: string, reason: "released" | "lost"): void {
    if (this.#state.type === "gone") return
    this.#state = { type: "gone", message }
    heldClaims.delete(this.nonce)
    this.inbox.close(reason)
    void this.#whenIdle().then(() => {
      this.#extent.close()
      fs.closeSync(this.#descriptor)
    })
  }
}

/** Opens the files beside the log. If one cannot be opened, all are closed again. */
function openBeside(
  place: TreePlace,
  { descriptor, claim, size }: ClaimedLog,
): { readonly inbox: Inbox; readonly extent: Extent } {
  let extent: Extent | undefined
  try {
    extent = new Extent(place.folder, claim.epoch)
    // The claim has already synced the whole log.
    extent.record(size)
    return { inbox: new Inbox(place), extent }
  } catch (error) {
    extent?.close()
    fs.closeSync(descriptor)
    throw error
  }
}

type State =
  | { readonly type: "held" }
  /** The disk failed. The end of the file is unknown, so nothing more may be appended. */
  | { readonly type: "failed"; readonly error: unknown }
  | { readonly type: "gone"; readonly message: string }
