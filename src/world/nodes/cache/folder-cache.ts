import fs from "node:fs"
import { hash, makeRandomBytes } from "../../../ground/crypto.ts"
import { type CachedFile, isCachedFile } from "./cached-file.ts"
import { type FileLine, readFileLines } from "./line-reader.ts"

/**
 * The cached files of one folder. The caller asks for them in the order of their names. The file of the cache is
 * read and written in step, so it is never in memory as a whole.
 */
export interface FolderCache {
  /** The record of a file, which may be out of date. */
  find(name: string): CachedFile | undefined
  /** Keeps the record that was found last. */
  keep(): void
  /** Replaces the record that was found last, or adds one. */
  put(record: CachedFile): void
  /** Writes what changed: in full or not at all. Throws an error of the file system. */
  commit(): void
  /** Leaves the file of the cache as it was. */
  discard(): void
}

/**
 * Opens the file of a cache. One that is missing, damaged or about another folder has no records. Processes
 * can use it side by side: each writes a file of its own and gives it the name at the end.
 */
export function openFolderCache(file: string, title: string): FolderCache {
  const header = `${title}\n`
  let descriptor = openIfThere(file)
  const lines = descriptor === undefined ? undefined : readFileLines(descriptor)
  const first = lines?.next()
  const hasRecords = first?.done === false && first.value.text === title
  let next = hasRecords ? nextRecord(lines!) : undefined
  let current: ReadRecord | undefined
  /** Everything before it is kept as it is. */
  let unchangedEnd = hasRecords ? first.value.end : 0
  let writer: Writer | undefined

  const write = (text: string): void => {
    writer ??= startWriter(file, hasRecords ? { descriptor: descriptor!, end: unchangedEnd } : header)
    writer.add(text)
  }
  const close = (): void => {
    if (descriptor !== undefined) fs.closeSync(descriptor)
    descriptor = undefined
  }

  const discard = (): void => {
    close()
    writer?.remove()
    writer = undefined
  }

  return {
    find(name) {
      while (next && next.record.name < name) next = nextRecord(lines!)
      current = next?.record.name === name ? next : undefined
      if (current) next = nextRecord(lines!)
      return current?.record
    },
    keep() {
      if (!current) return
      if (!writer && current.line.start === unchangedEnd) unchangedEnd = current.line.end
      else write(`${current.line.text}\n`)
    },
    put: (record) => write(toLine(record)),
    commit() {
      try {
        // The records of files that are gone.
        const hasMore = hasRecords && fs.fstatSync(descriptor!).size > unchangedEnd
        if (!writer && hasMore) write("")
        writer?.flush()
        close()
        writer?.rename()
      } finally {
        discard()
      }
    },
    discard,
  }
}

interface ReadRecord {
  readonly line: FileLine
  readonly record: CachedFile
}

/** Skips lines whose checksum is wrong. */
function nextRecord(lines: Generator<FileLine, void>): ReadRecord | undefined {
  for (let item = lines.next(); !item.done; item = lines.next()) {
    const record = fromLine(item.value.text)
    if (record) return { line: item.value, record }
  }
  return undefined
}

const toLine = (record: CachedFile): string => {
  const text = JSON.stringify(record)
  return `${checksum(text)} ${text}\n`
}

function fromLine(line: string): CachedFile | undefined {
  const text = line.slice(checksumLength + 1)
  if (line.slice(0, checksumLength) !== checksum(text)) return undefined
  const record: unknown = JSON.parse(text)
  return isCachedFile(record) ? record : undefined
}

const checksumLength = 16
const checksum = (text: string): string => hash("sha256", text, "hex").slice(0, checksumLength)

function openIfThere(file: string): number | undefined {
  try {
    return fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if (["ENOENT", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
}

interface Writer {
  add(text: string): void
  flush(): void
  rename(): void
  remove(): void
}

const bufferSize = 256 * 1024

/** Starts a new file with a header, or with the first bytes of the old one. */
function startWriter(file: string, start: string | { descriptor: number; end: number }): Writer {
  const temporary = `${file}.${makeRandomBytes(6).toString("hex")}.tmp`
  const output = fs.openSync(temporary, "wx", 0o600)
  let isOpen = true
  let pending: string[] = []
  let length = 0
  const flush = (): void => {
    writeFully(output, Buffer.from(pending.join("")))
    pending = []
    length = 0
  }
  const add = (text: string): void => {
    pending.push(text)
    length += text.length
    if (length > bufferSize) flush()
  }
  if (typeof start === "string") add(start)
  else copyStart(start.descriptor, start.end, output)
  const end = (): void => {
    if (isOpen) fs.closeSync(output)
    isOpen = false
  }
  return {
    add,
    flush,
    rename() {
      end()
      fs.renameSync(temporary, file)
    },
    remove() {
      end()
      fs.rmSync(temporary, { force: true })
    },
  }
}

function copyStart(input: number, end: number, output: number): void {
  const chunk = Buffer.allocUnsafe(bufferSize)
  for (let position = 0; position < end; ) {
    const count = fs.readSync(input, chunk, 0, Math.min(bufferSize, end - position), position)
    if (count === 0) return
    writeFully(output, chunk.subarray(0, count))
    position += count
  }
}

function writeFully(output: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(output, bytes, done)
}
