import type { RunHead, StoredEvent } from "../../../run/log/store.ts"
import { advanceHead, createHead, type OpenHead, showHead, showRoot } from "../heads.ts"
import type { EventEntry, LogEntry } from "./entries.ts"

/** Checks that each run's events follow each other, and records which runs have lost some. */
export class Continuity {
  readonly #root: string
  readonly #next = new Map<string, number>()
  readonly #damage = new Map<string, string>()
  /** The first lost line whose run is unknown. */
  #unassignedLoss: string | undefined

  constructor(root: string) {
    this.#root = root
  }

  /** True if this entry is the next event of its run. After its first damage a run has no next event. */
  admit(entry: LogEntry): entry is EventEntry {
    if (entry.type === "damaged") {
      const { suspect } = entry
      const reason = `a line was lost at byte ${entry.offset}: ${entry.reason}`
      // A flipped bit may have changed the id as well, so the id counts only if it fits. Otherwise the gap in the right
      // run shows the loss.
      if (suspect !== undefined && suspect.seq === this.#next.get(suspect.run))
        this.#spoil(suspect.run, reason)
      else this.#unassignedLoss ??= reason
      return false
    }
    const { run, seq } = entry.event
    if (this.#damage.has(run)) return false
    const next = this.#next.get(run) ?? 0
    if (seq === next) {
      this.#next.set(run, next + 1)
      return true
    }
    this.#spoil(run, `event ${next} is missing: byte ${entry.offset} has event ${seq}`)
    return false
  }

  advance(event: StoredEvent): void {
    this.#next.set(event.run, event.seq + 1)
  }

  /** The next seq of a run. Undefined: there is no such run. */
  next(run: string): number | undefined {
    return this.#next.get(run)
  }

  /** Records a loss of an unknown run. */
  lose(reason: string): void {
    this.#unassignedLoss ??= reason
  }

  /** The damage of each damaged run. A loss of an unknown run counts for the root, if no run shows a gap. */
  get damage(): ReadonlyMap<string, string> {
    if (this.#unassignedLoss === undefined || this.#damage.size > 0) return this.#damage
    return new Map([[this.#root, this.#unassignedLoss]])
  }

  #spoil(run: string, reason: string): void {
    if (!this.#damage.has(run)) this.#damage.set(run, reason)
  }
}

/**
 * The position of each run's events in the file. The log is read once and grouped by run, without keeping the events.
 */
export class TreeIndex {
  readonly continuity: Continuity
  readonly #root: string
  readonly #runs = new Map<string, { readonly head: OpenHead; readonly extents: Stretch[] }>()

  constructor(root: string) {
    this.#root = root
    this.continuity = new Continuity(root)
  }

  add(event: StoredEvent, offset: number, length: number): void {
    this.continuity.advance(event)
    const run = this.#runs.get(event.run)
    const extent = { seq: event.seq, offset, length }
    if (run === undefined) {
      this.#runs.set(event.run, { head: createHead(event), extents: [extent] })
      return
    }
    advanceHead(run.head, event)
    const last = run.extents[run.extents.length - 1]!
    if (last.offset + last.length === offset && last.length < longestExtent) last.length += length
    else run.extents.push(extent)
  }

  /** Uses an event after the damage of its run: it is not readable in order, but tells the run's status. */
  noteStatus(event: StoredEvent): void {
    const run = this.#runs.get(event.run)
    if (run !== undefined) advanceHead(run.head, event)
  }

  has(run: string): boolean {
    return this.#runs.has(run)
  }

  /** The time of a run's last event. Undefined: there is no such run. */
  updatedAt(run: string): number | undefined {
    return this.#runs.get(run)?.head.updatedAt
  }

  /** The heads in the order of their creation. The root's head includes the summary of its tree. */
  *heads(): Generator<RunHead> {
    const { damage } = this.continuity
    const hiddenRun = [...damage.keys()].find((run) => !this.#runs.has(run))
    for (const { head } of this.#runs.values()) {
      const isRoot = head.run === this.#root
      const runHead = isRoot ? showRoot(head, this.#openHeads()) : showHead(head)
      // A run without its first event has no head of its own, so the root shows its damage.
      const problem =
        damage.get(head.run) ?? (isRoot && hiddenRun !== undefined ? damage.get(hiddenRun) : undefined)
      yield problem === undefined ? runHead : { ...runHead, damage: problem }
    }
  }

  /** The head of the root. Undefined: its first event is lost. */
  rootHead(): RunHead | undefined {
    const root = this.#runs.get(this.#root)
    if (root === undefined) return undefined
    const runHead = showRoot(root.head, this.#openHeads())
    const [damage] = this.continuity.damage.values()
    return damage === undefined ? runHead : { ...runHead, damage }
  }

  *#openHeads(): Generator<OpenHead> {
    for (const { head } of this.#runs.values()) yield head
  }

  /** The parts of the file that hold only events of this run, from the part with event `from` on. */
  extents(run: string, from: number): readonly Readonly<Stretch>[] {
    const extents = this.#runs.get(run)?.extents ?? []
    const first = extents.findLastIndex((extent) => extent.seq <= from)
    return extents.slice(Math.max(first, 0))
  }
}

interface Stretch {
  readonly seq: number
  readonly offset: number
  length: number
}

const longestExtent = 1 << 17
