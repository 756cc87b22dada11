import fs from "node:fs"
import path from "node:path"
import { randomBytes } from "../../../ground/crypto.ts"
import type { Stored } from "../../../run/log/store.ts"
import { Counters } from "../counters.ts"
import { hasCode, writeAll } from "./disk.ts"
import { type Entry, eventForHead, readEntries, type Source } from "./entries.ts"
import { logFile } from "./folder.ts"
import { seal } from "./line.ts"
import type { Place } from "./place.ts"
import { Continuity, TreeIndex } from "./tree-index.ts"

/** The next log of a tree in the making: invisible until it is linked. */
export class LogCopy {
  readonly index: TreeIndex
  /** What is wrong with the old log, which a repair leaves behind. */
  readonly #source: Continuity
  readonly #counters = new Counters()
  readonly #place: Place
  readonly #epoch: number
  readonly #temporary: string
  readonly #descriptor: number
  #pending: Buffer[] = []
  #pendingBytes = 0
  #size = 0
  #synced = 0
  #kept = false
  dropped = 0

  constructor(place: Place, epoch: number, header: string) {
    this.#place = place
    this.#epoch = epoch
    this.index = new TreeIndex(place.root)
    this.#source = new Continuity(place.root)
    this.#temporary = path.join(place.folder, `temporary.${epoch}.${randomBytes(6).toString("hex")}`)
    this.#descriptor = fs.openSync(this.#temporary, "ax+", 0o600)
    this.#push(header)
  }

  /** Takes the events over that follow their run's last one; what comes after a damage stays behind. */
  async addAll(source: Source, from: number): Promise<number> {
    let next = from
    for await (const { entries, end } of readEntries(source, from)) {
      for (const entry of entries) this.#add(entry)
      next = end
    }
    return next
  }

  #add(entry: Entry): void {
    if (this.#source.admit(entry)) this.put(entry.event, entry.text, eventForHead(entry, this.#place.blobs))
    else this.dropped++
  }

  /**
   * Takes an event over as the next one of its run. `text`: as it was written, where its long strings are not in it.
   * `told`: with those of them that a list shows.
   */
  put(event: Stored, text = JSON.stringify(event), told = event): void {
    const offset = this.#size
    this.write(text)
    this.index.add(told, offset, this.#size - offset)
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

  /** Makes sure that the disk has everything. */
  async sync(): Promise<void> {
    if (this.#pending.length > 0) this.#flush()
    else if (this.#synced === this.#size) return
    await this.#place.disk.sync(this.#descriptor)
    this.#synced = this.#size
  }

  /** False: somebody else was first. */
  async link(): Promise<boolean> {
    await this.sync()
    try {
      fs.linkSync(this.#temporary, logFile(this.#place.folder, this.#epoch))
      return true
    } catch (error) {
      // ENOENT: who was first has already swept our temporary file away.
      if (hasCode(error, "EEXIST", "ENOENT")) return false
      throw error
    }
  }

  keep(): OpenLog {
    this.#kept = true
    return { descriptor: this.#descriptor, index: this.index, counters: this.#counters, size: this.#size }
  }

  discard(): void {
    fs.rmSync(this.#temporary, { force: true })
    if (!this.#kept) fs.closeSync(this.#descriptor)
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

/** A log to append to, and what is known of what it holds. */
export interface OpenLog {
  readonly descriptor: number
  readonly index: TreeIndex
  readonly counters: Counters
  /** Of the file: where the next line goes. */
  readonly size: number
}
