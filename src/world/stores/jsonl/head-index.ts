import fs from "node:fs"
import path from "node:path"
import { makeRandomBytes } from "../../../ground/crypto.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { makeFolder } from "./disk.ts"
import { isSuperseded } from "./folder.ts"
import { seal, unseal } from "./line.ts"
import type { LogMark } from "./log-mark.ts"
import type { TreePlace } from "./place.ts"

export interface IndexedHead {
  readonly head: RunHead
  readonly mark: LogMark
}

/**
 * The file `heads.jsonl`: the heads of ended trees, so that a list need not read their logs. The file is derived from
 * the logs: a missing, old or damaged line only costs a look into its log. Any process may append lines, and the last
 * line of a run counts.
 */
export class HeadIndex {
  readonly #directory: string
  readonly #bytes: Buffer
  /** The offset of each run's last line. */
  readonly #starts = new Map<string, number>()
  #lines = 0

  constructor(directory: string) {
    this.#directory = directory
    this.#bytes = readIndex(directory)
    for (let start = 0; start < this.#bytes.length; ) {
      const end = this.#bytes.indexOf(10, start)
      if (end < 0) break
      if (end - start > runEnd) {
        this.#starts.set(this.#bytes.toString("latin1", start + runStart, start + runEnd), start)
        this.#lines++
      }
      start = end + 1
    }
  }

  /** The head of an ended tree. Undefined: its log must be read. */
  headOf(root: string): RunHead | undefined {
    const start = this.#starts.get(root)
    if (start === undefined) return undefined
    const unsealed = unseal(this.#bytes.subarray(start, this.#bytes.indexOf(10, start)))
    if (unsealed.type === "bad" || unsealed.value.v !== version || unsealed.value.run !== root)
      return undefined
    const { log, head } = unsealed.value as { log?: unknown; head?: Omit<RunHead, "run"> }
    const mark = markIn(log)
    if (head?.status !== "ended" || !mark || !this.#fits(root, mark)) return undefined
    if (isSuperseded(path.join(this.#directory, root), mark.epoch)) return undefined
    return { run: root, ...head }
  }

  /** True if a tree has ended. Reads only the beginning of its line, because a list of open runs checks every run. */
  isEnded(root: string): boolean {
    const start = this.#starts.get(root)
    if (start === undefined) return false
    const from = start + runEnd + markStart.length
    const end = this.#bytes.indexOf(93, from)
    if (end - from > longestMark) return false
    const text = this.#bytes.toString("latin1", start + runEnd, end)
    if (!text.startsWith(markStart)) return false
    const [epoch, size, modified] = text.slice(markStart.length).split(",", 3).map(Number)
    return this.#fits(root, { epoch: epoch!, size: size!, modified: modified! })
  }

  /** This runs for every run of a list, where `path.join` would take as long as the check itself. */
  #fits(root: string, { epoch, size, modified }: LogMark): boolean {
    const file = `${this.#directory}${path.sep}${root}${path.sep}log.${epoch}.jsonl`
    const stats = fs.statSync(file, { throwIfNoEntry: false })
    return stats !== undefined && stats.size === size && stats.mtimeMs === modified
  }

  /** Adds heads that were read from logs. A file with mostly outdated lines is rewritten. */
  save(heads: readonly IndexedHead[], roots: readonly string[]): void {
    const directory = this.#directory
    const isBloated = this.#lines > 2 * roots.length + toleratedLines
    if (isBloated) rewrite(directory, [...this.#linesOf(roots, heads), ...heads.map(lineOf)])
    else if (heads.length > 0) append(directory, heads.map(lineOf))
  }

  *#linesOf(roots: readonly string[], except: readonly IndexedHead[]): Generator<Buffer> {
    const remaining = new Set(roots)
    for (const { head } of except) remaining.delete(head.run)
    for (const [run, start] of this.#starts)
      if (remaining.has(run)) yield this.#bytes.subarray(start, this.#bytes.indexOf(10, start) + 1)
  }
}

/** Stores the head of a released tree. */
export function addHead(directory: string, indexed: IndexedHead): void {
  append(directory, [lineOf(indexed)])
}

/** Invalidates the head of a tree, before the tree is claimed again or repaired. From now on its log must be read. */
export function forgetHead({ root, folder }: TreePlace): void {
  append(path.dirname(folder), [seal(JSON.stringify({ run: root, v: version }))])
}

export const indexFile = (directory: string): string => path.join(directory, "heads.jsonl")

/** True for a temporary file of a process that died while it rewrote the index. */
export const isIndexLeftover = (name: string): boolean => /^\.heads\.[0-9a-f]{12}$/.test(name)

/** Raised whenever a head shows something else. For lines of another version the log is read again. */
const version = 1

/** Lines begin with `{"crc":"1a2b3c4d","run":"ID"`. */
const runStart = 25
const runEnd = runStart + 26
const markStart = `","v":${version},"log":[`
const longestMark = 60
const toleratedLines = 1_000

const lineOf = ({ head: { run, ...head }, mark: { epoch, size, modified } }: IndexedHead): string =>
  seal(JSON.stringify({ run, v: version, log: [epoch, size, modified], head }))

function markIn(log: unknown): LogMark | undefined {
  if (!Array.isArray(log) || log.length !== 3 || !log.every(Number.isFinite)) return undefined
  const [epoch, size, modified] = log as number[]
  return { epoch: epoch!, size: size!, modified: modified! }
}

/** An unreadable index counts as an empty one. */
function readIndex(directory: string): Buffer {
  try {
    return fs.readFileSync(indexFile(directory))
  } catch {
    return Buffer.alloc(0)
  }
}

/** The text begins with a newline, so that the unfinished line of a dead process does not swallow this one. */
function append(directory: string, lines: readonly string[]): void {
  ignoringFailure(() =>
    fs.writeFileSync(indexFile(directory), `\n${lines.join("")}`, { flag: "a", mode: 0o600 }),
  )
}

/** Lines that other processes add meanwhile are lost. Their heads are read from the logs again. */
function rewrite(directory: string, lines: readonly (Buffer | string)[]): void {
  ignoringFailure(() => {
    makeFolder(directory)
    const temporary = path.join(directory, `.heads.${makeRandomBytes(6).toString("hex")}`)
    try {
      fs.writeFileSync(temporary, Buffer.concat(lines.map((line) => Buffer.from(line))), { mode: 0o600 })
      fs.renameSync(temporary, indexFile(directory))
    } finally {
      fs.rmSync(temporary, { force: true })
    }
  })
}

/** Ignores failures to write: a list is correct without its index, and a full or read-only disk must not fail a run. */
function ignoringFailure(write: () => void): void {
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
  }
}
