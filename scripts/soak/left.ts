import fs from "node:fs"
import path from "node:path"
import type { Memory } from "./conduct.ts"
import type { Places } from "./world.ts"

/** The leftovers after every worker has ended: processes, sockets, locks, temporary files. */
export function leftOver(places: Places): readonly string[] {
  return [
    ...processes(places.base),
    ...fs
      .readFileSync("/proc/net/unix", "utf8")
      .split("\n")
      .filter((line) => line.includes(places.base))
      .map((line) => `a socket: ${line}`),
    // One folder per user is kept for the next process; nothing in it is.
    ...filesIn(places.temporary).map((file) => `a temporary file: ${file}`),
    ...fs
      .readdirSync(places.work)
      .filter((name) => !/^\d+$/.test(name))
      .map((name) => `in the workspace: ${name}`),
    ...filesIn(places.runs)
      .filter((file) => !/\/(?:log\.\d+\.jsonl|inbox\.jsonl|extent|heads\.jsonl|blobs\/[^/.]+)$/.test(file))
      .filter((file) => !unswept(places).some((place) => file === place || file.startsWith(`${place}/`)))
      .map((file) => `in the state folder: ${file}`),
  ]
}

/**
 * What a kill leaves in the state folder and nobody sweeps up yet: folders of trees that never had a log, and the temporary
 * files of blobs, of the index and of claims on trees that nobody claims again. Nobody was told of any of it.
 */
export function unswept({ runs }: Places): readonly string[] {
  const folders = fs
    .readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(runs, name))
  const isStillborn = (folder: string) => !fs.readdirSync(folder).some((name) => name.startsWith("log."))
  return [
    ...folders.filter(isStillborn),
    ...filesIn(runs).filter((file) =>
      /\/(?:blobs\/\.[0-9a-f]{16}|temporary\.\d+\.[0-9a-f]+|\.heads\.[0-9a-f]+)$/.test(file),
    ),
  ]
}

function processes(base: string): readonly string[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      const [command, environment] = ["cmdline", "environ"].map((file) =>
        fs.readFileSync(`/proc/${name}/${file}`, "utf8"),
      )
      return `${command}${environment}`.includes(base) ? [`process ${name}: ${command}`] : []
    } catch {
      // It ended while we looked, or is somebody else's.
      return []
    }
  })
}

const filesIn = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))

export interface Trend {
  /** Of the second half of the time. */
  readonly rssPerMinute: number
  readonly heapPerMinute: number
  /** At most, while it worked, in both halves. */
  readonly descriptors: { readonly first: number; readonly second: number }
  /** At rest: before the first run, and after the last. */
  readonly begin: Level
  readonly end: Level
}

interface Level {
  readonly rss: number
  readonly heap: number
  readonly descriptors: number
}

/** Megabytes; the slopes are those of a straight line through the second half. */
export function trendOf(memory: readonly Memory[]): Trend {
  const [first, second] = [memory.slice(0, memory.length >> 1), memory.slice(memory.length >> 1)]
  const slope = (value: (sample: Memory) => number) => {
    const mean = (of: (sample: Memory) => number) =>
      second.reduce((sum, sample) => sum + of(sample), 0) / second.length
    const [time, level] = [mean(({ at }) => at), mean(value)]
    const above = second.reduce((sum, one) => sum + (one.at - time) * (value(one) - level), 0)
    const below = second.reduce((sum, { at }) => sum + (at - time) ** 2, 0)
    return round((above / below) * 60_000)
  }
  const most = (samples: readonly Memory[]) => Math.max(0, ...samples.map(({ descriptors }) => descriptors))
  return {
    rssPerMinute: slope(({ rss }) => rss / 2 ** 20),
    heapPerMinute: slope(({ heap }) => heap / 2 ** 20),
    descriptors: { first: most(first), second: most(second) },
    begin: levelOf(memory[0]),
    end: levelOf(memory.at(-1)),
  }
}

const levelOf = (
  { rss, heap, descriptors }: Omit<Memory, "at"> = { rss: 0, heap: 0, descriptors: 0 },
): Level => ({
  rss: round(rss / 2 ** 20),
  heap: round(heap / 2 ** 20),
  descriptors,
})

const round = (value: number): number => Math.round(value * 100) / 100
