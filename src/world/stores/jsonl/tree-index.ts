import type { RunHead, Stored } from "../../../run/log/store.ts"
import { advanceHead, headOf, type OpenHead, showHead, showRoot } from "../heads.ts"
import type { Entry, EventEntry } from "./entries.ts"

/** Tells whether each run's events follow each other, and which runs have lost some. */
export class Continuity {
  readonly #root: string
  readonly #next = new Map<string, number>()
  readonly #damage = new Map<string, string>()
  /** A line that could not be told to belong to any run. */
  #lost: string | undefined

  constructor(root: string) {
    this.#root = root
  }

  /** Whether this entry is the next event of its run. After the first damage a run has no next one. */
  admit(entry: Entry): entry is EventEntry {
    if (entry.type === "damaged") {
      const { suspect } = entry
      const reason = `a line was lost at byte ${entry.offset}: ${entry.reason}`
      // A flipped bit may have changed the id as well: believed only if it fits. Otherwise the gap will tell.
      if (suspect !== undefined && suspect.seq === this.#next.get(suspect.run))
        this.#spoil(suspect.run, reason)
      else this.#lost ??= reason
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

  advance(event: Stored): void {
    this.#next.set(event.run, event.seq + 1)
  }

  /** The seq that comes next in a run, or undefined for a run that is not there. */
  next(run: string): number | undefined {
    return this.#next.get(run)
  }

  /** Something is gone, and nothing says of which run. */
  lose(reason: string): void {
    this.#lost ??= reason
  }

  /** What is wrong with each damaged run. A loss that no run shows is put down to the root. */
  get damage(): ReadonlyMap<string, string> {
    if (this.#lost === undefined || this.#damage.size > 0) return this.#damage
    return new Map([[this.#root, this.#lost]])
  }

  #spoil(run: string, reason: string): void {
    if (!this.#damage.has(run)) this.#damage.set(run, reason)
  }
}

/** Where in the file each run's events are: the log read once and bucketed by run, without keeping the events. */
export class TreeIndex {
  readonly continuity: Continuity
  readonly #root: string
  readonly #runs = new Map<string, { readonly head: OpenHead; readonly extents: Extent[] }>()

  constructor(root: string) {
    this.#root = root
    this.continuity = new Continuity(root)
  }

  add(event: Stored, offset: number, length: number): void {
    this.continuity.advance(event)
    const run = this.#runs.get(event.run)
    const extent = { seq: event.seq, offset, length }
    if (run === undefined) {
      this.#runs.set(event.run, { head: headOf(event), extents: [extent] })
      return
    }
    advanceHead(run.head, event)
    const last = run.extents[run.extents.length - 1]!
    if (last.offset + last.length === offset && last.length < longestExtent) last.length += length
    else run.extents.push(extent)
  }

  /** An event after a damage of its run: not to be read in order, but it tells how the run stands. */
  pass(event: Stored): void {
    const run = this.#runs.get(event.run)
    if (run !== undefined) advanceHead(run.head, event)
  }

  has(run: string): boolean {
    return this.#runs.has(run)
  }

  /** When the last event of a run was recorded. Undefined: there is no such run. */
  updatedAt(run: string): number | undefined {
    return this.#runs.get(run)?.head.updatedAt
  }

  /** In the order they were created, the root with what is told of its tree. */
  *heads(): Generator<RunHead> {
    const { damage } = this.continuity
    const hidden = [...damage.keys()].find((run) => !this.#runs.has(run))
    for (const { head } of this.#runs.values()) {
      const isRoot = head.run === this.#root
      const shown = isRoot ? showRoot(head, this.#openHeads()) : showHead(head)
      // A run whose first event is lost is not told itself.
      const problem =
        damage.get(head.run) ?? (isRoot && hidden !== undefined ? damage.get(hidden) : undefined)
      yield problem === undefined ? shown : { ...shown, damage: problem }
    }
  }

  /** Undefined: its first event is lost. */
  rootHead(): RunHead | undefined {
    const root = this.#runs.get(this.#root)
    if (root === undefined) return undefined
    const shown = showRoot(root.head, this.#openHeads())
    const [damage] = this.continuity.damage.values()
    return damage === undefined ? shown : { ...shown, damage }
  }

  *#openHeads(): Generator<OpenHead> {
    for (const { head } of this.#runs.values()) yield head
  }

  /** Stretches of the file that hold nothing but events of this run, from the one with event `from` on. */
  extents(run: string, from: number): readonly Readonly<Extent>[] {
    const extents = this.#runs.get(run)?.extents ?? []
    const first = extents.findLastIndex((extent) => extent.seq <= from)
    return extents.slice(Math.max(first, 0))
  }
}

interface Extent {
  readonly seq: number
  readonly offset: number
  length: number
}

const longestExtent = 1 << 17
