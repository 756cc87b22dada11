import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import { hash } from "../../../ground/crypto.ts"
import { describeThrown } from "../../../ground/errors.ts"
import type { FileNodes } from "../extract.ts"
import { type CachedFile, isUnchanged, writeFileState } from "./cached-file.ts"
import { type FolderCache, openFolderCache } from "./folder-cache.ts"
import { sweepCaches } from "./sweep.ts"

/** The cache of one look at a tree. Files come as a walk gives them: sorted in each folder, folders nested. */
export interface LookCache {
  /** Undefined if the file may have changed. `fingerprint` is asked about the language of the record. */
  find(
    file: string,
    stats: BigIntStats,
    fingerprint: (language: string) => string,
  ): { readonly language: string; readonly result: FileNodes } | undefined
  /** Keeps the record of a file that this look leaves out. */
  pass(file: string): void
  put(file: string, look: FileLook): void
  /** Ends the look. An `incomplete` one leaves the cache of folders that it was in as it was. */
  close(look: "complete" | "incomplete"): void
  /** Set if something could not be written. The look itself is not affected. */
  readonly problem: string | undefined
}

interface FileLook {
  readonly language: string
  readonly fingerprint: string
  readonly stats: BigIntStats
  /** The clock from before the file was read. */
  readonly readAt: number
  readonly result: FileNodes
}

const formatVersion = 1

/** Opens the cache in `folder` for looks below `root`. */
export function openLookCache(folder: string, root: string): LookCache {
  const open: { readonly name: string; readonly cache: FolderCache }[] = []
  let problem: string | undefined
  let cachedFile: CachedFile | undefined
  let hasChanged = false

  const attempt = <Value>(work: () => Value): Value | undefined => {
    try {
      return work()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
      problem ??= describeThrown(error)
      return undefined
    }
  }
  const openFolder = (name: string): FolderCache | undefined =>
    attempt(() => {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      const title = JSON.stringify({ version: formatVersion, root, folder: name })
      return openFolderCache(path.join(folder, `${hash("sha256", title, "hex").slice(0, 32)}.jsonl`), title)
    })
  const enter = (file: string): FolderCache | undefined => {
    if (problem !== undefined) return undefined
    const name = file.slice(0, Math.max(0, file.lastIndexOf("/")))
    while (open.length > 0 && !isAround(open.at(-1)!.name, name)) attempt(() => open.pop()!.cache.commit())
    if (open.at(-1)?.name === name) return open.at(-1)!.cache
    const cache = openFolder(name)
    if (cache) open.push({ name, cache })
    return cache
  }
  const baseName = (file: string): string => file.slice(file.lastIndexOf("/") + 1)
  const whole = (record: CachedFile, file: string): FileNodes => ({
    // In the order of fields that a fresh node has, so that both print the same.
    nodes: record.nodes.map(({ id, type, name, fullName, ...rest }) => ({
      id,
      type,
      name,
      fullName,
      language: record.language,
      file,
      ...rest,
    })),
    diagnostics: record.diagnostics,
  })

  return {
    find(file, stats, fingerprint) {
      const cache = enter(file)
      cachedFile = attempt(() => cache?.find(baseName(file)))
      if (!cache || !cachedFile || cachedFile.fingerprint !== fingerprint(cachedFile.language))
        return undefined
      if (!isUnchanged(cachedFile, stats)) return undefined
      attempt(() => cache.keep())
      return { language: cachedFile.language, result: whole(cachedFile, file) }
    },
    pass(file) {
      const cache = enter(file)
      if (attempt(() => cache?.find(baseName(file)))) attempt(() => cache?.keep())
    },
    put(file, { language, fingerprint, stats, readAt, result }) {
      const cache = enter(file)
      hasChanged = true
      attempt(() =>
        cache?.put({
          name: baseName(file),
          language,
          fingerprint,
          state: writeFileState(stats),
          readAt,
          nodes: result.nodes.map(({ file: _, language: __, ...node }) => node),
          diagnostics: result.diagnostics,
        }),
      )
    },
    close(look) {
      for (const { cache } of open.toReversed())
        if (look === "complete" && problem === undefined) attempt(() => cache.commit())
        else attempt(() => cache.discard())
      open.length = 0
      if (hasChanged) attempt(() => sweepCaches(folder, Date.now()))
    },
    get problem() {
      return problem
    },
  }
}

const isAround = (outer: string, inner: string): boolean =>
  outer === "" || outer === inner || inner.startsWith(`${outer}/`)
