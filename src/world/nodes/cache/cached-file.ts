import type { BigIntStats } from "node:fs"
import type { Diagnostic } from "../../../ground/diagnostics/diagnostic.ts"
import type { CodeNode } from "../node.ts"

/** The nodes of one file, and the state of the file at that time. */
export interface CachedFile {
  readonly name: string
  readonly language: string
  /** Identifies the grammar and the queries. */
  readonly fingerprint: string
  /** Size, times and number of the file. */
  readonly state: string
  /** The clock in milliseconds, from before the file was read. */
  readonly readAt: number
  readonly nodes: readonly Omit<CodeNode, "file" | "language">[]
  readonly diagnostics: readonly Diagnostic[]
}

/** The checksum of a line was right, so only a record of another version of cadre has another shape. */
export function isCachedFile(value: unknown): value is CachedFile {
  const record = value as CachedFile
  return (
    typeof record === "object" &&
    record !== null &&
    [record.name, record.language, record.fingerprint, record.state].every(
      (text) => typeof text === "string",
    ) &&
    Number.isFinite(record.readAt) &&
    Array.isArray(record.nodes) &&
    Array.isArray(record.diagnostics)
  )
}

/** All that `stat` tells about the content of a file. */
export const writeFileState = ({ size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): string =>
  [size, mtimeNs, ctimeNs, ino, dev].join(" ")

/** The steps of clocks of file systems, in milliseconds: some only count seconds, or every other one. */
const fineStep = 50
const coarseStep = 2_500

/**
 * True if the state proves that the file is still as it was read. A file can change twice within one step of
 * the clock and look the same. So a change just before the read proves nothing.
 */
export function isUnchanged({ state, readAt }: CachedFile, stats: BigIntStats): boolean {
  if (state !== writeFileState(stats)) return false
  const isCoarse = stats.ctimeNs % 1_000_000_000n === 0n && stats.mtimeNs % 1_000_000_000n === 0n
  const step = isCoarse ? coarseStep : fineStep
  return Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)) + step < readAt
}
