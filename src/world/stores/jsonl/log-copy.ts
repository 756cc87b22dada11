import fs from "node:fs"
import path from "node:path"
import { makeRandomBytes } from "../../../ground/crypto.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import { Counters } from "../counters.ts"
import { hasErrorCode, writeAll } from "./disk.ts"
import { type LogEntry, type LogSource, readLogEntries, restoreHeadEvent } from "./entries.ts"
import { logFile } from "./folder.ts"
import { seal } from "./line.ts"
import type { TreePlace } from "./place.ts"
import { Continuity, TreeIndex } from "./tree-index.ts"

/** The next log of a tree while it is being written. Other processes cannot see it until it is linked. */
export class LogCopy {
  readonly index: TreeIndex
  /** The damage of the old log, which a repair leaves behind. */
  readonly #source: Continuity
  readonly #counters = new Counters()
  readonly #place: TreePlace
  readonly #epoch: number
  readonly #temporary: string
  readonly #descriptor: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  #size = 0
  #synced = 0
  #isKept = false
  dropped = 0

  constructor(place: TreePlace, epoch: number, header: string) {
    this.#place = place
    this.#epoch = epoch
    this.index = new TreeIndex(place.root)
    this.#source = new Continuity(place.root)
    this.#temporary = path.join(place.folder, `temporary.${epoch}.${makeRandomBytes(6).toString("hex")}`)
    this.#descriptor = fs.openSync(this.#temporary, "ax+", 0o600)
    this.#push(header)
  }

  /** Copies the events of each run up to its first damage. Later events of a damaged run are dropped. */
  async addAll(source: LogSource, from: number): Promise<number> {
    let next = from
    for await (const { entries, end } of readLogEntries(source, from)) {
      for (const entry of entries) this.#add(entry)
      next = end
    }
    return next
  }

  #add(entry: LogEntry): void {
    if (this.#source.admit(entry))
      this.put(entry.event, entry.text, restoreHeadEvent(entry, this.#place.blobs))
    else this.dropped++
  }

  /**
   * Copies an event as the next one of its run. `text`: its original line, without the long strings. `headEvent`: the
   * event with the strings that a list shows.
   */
  put(event: StoredEvent, text = JSON.stringify(event), headEvent = event): void {
    const offset = this.#size
    this.write(text)
    this.index.add(headEvent, offset, this.#size - offset)
    this.#counters.count(event)
  }

  lose(reason: string): void {
    this.#source.lose(reason)
  }

  get damage(): ReadonlyMap<string, string> {
    return this.#source.damage
  }

  write(text: string): void {
    this.#push(seal(text))
  }

  /** Resolves when everything is on disk. */
  async sync(): Promise<void> {
    if (this.#pending.length > 0) this.#flush()
    else if (this.#synced === this.#size) return
    await this.#place.disk.sync(this.#descriptor)
    this.#synced = this.#size
  }

  /** Makes the copy the newest log. False: another process was first. */
  async link(): Promise<boolean> {
    await this.sync()
    try {
      fs.linkSync(this.#temporary, logFile(this.#place.folder, this.#epoch))
      return true
    } catch (error) {
      // ENOENT: the other process has already removed our temporary file.
      if (hasErrorCode(error, "EEXIST", "ENOENT")) return false
      throw error
    }
  }

  keep(): OpenLog {
    this.#isKept = true
    return { descriptor: this.#descriptor, index: this.index, counters: this.#counters, size: this.#size }
  }

  discard(): void {
    fs.rmSync(this.#temporary, { force: true })
    if (!this.#isKept) fs.closeSync(this.#descriptor)
  }

  #flush(): void {
    writeAll(this.#place.disk, this.#descriptor, Buffer.concat(this.#pending))
    this.#pending = []
    this.#pendingBytes = 0
  }

  #push(line: string): void {
    const bytes = Buffer.from(line)
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.#size += bytes.length
    if (this.#pendingBytes >= 1 << 16) this.#flush()
  }
}

/** A log that can be appended to, with its index and counters. */
export interface OpenLog {
  readonly descriptor: number
  readonly index: TreeIndex
  readonly counters: Counters
  /** The size of the file, where the next line goes. */
  readonly size: number
}
