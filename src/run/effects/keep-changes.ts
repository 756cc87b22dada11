import { isUtf8 } from "node:buffer"
import type {
  FileContent,
  FileVersion,
  FileWrite,
  KeptChange,
  SeenChanges,
  SeenFile,
  UnreadFile,
} from "../../agent/file-change.ts"
import { hash } from "../../ground/crypto.ts"
import type { Drive } from "./drive-view.ts"

/** Keeps both contents of a file as blobs and records references to them, then makes the change. */
export async function keepChange<Value>(
  drive: Drive,
  call: string,
  { path, before, after }: FileWrite,
  work: () => Promise<Value>,
): Promise<Value> {
  requireOpen(drive)
  const { environment, recorder, state } = drive
  const save = (text: string) => environment.store.putBlob(state.run, text)
  const [old, now] = await Promise.all([keep(drive, before, save), keep(drive, after, save)])
  requireOpen(drive)
  await recorder.record({ type: "file-change", call, ...changeOf(path, old, now) })
  try {
    return await work()
  } catch (error) {
    await recorder.record({ type: "file-kept", call, path })
    throw error
  }
}

/** Keeps the contents of files that a command changed. */
export async function keepSeenChanges(
  drive: Drive,
  call: string,
  { files, ...rest }: SeenChanges,
): Promise<void> {
  requireOpen(drive)
  const { environment, recorder, state } = drive
  const pack = new TextPack((text) => environment.store.putBlob(state.run, text))
  const add = (text: string) => pack.add(text)
  const changes: KeptChange[] = []
  for (const { path, before, after } of files)
    changes.push(changeOf(path, await keep(drive, before, add), await keep(drive, after, add)))
  await pack.finish()
  await recorder.record({
    type: "changes-seen",
    call,
    ...rest,
    files: changes.map(({ path, before, after }) => changeOf(path, pack.settle(before), pack.settle(after))),
  })
}

/** A tool that was abandoned may still be at work. */
function requireOpen({ isEnded }: Drive): void {
  if (isEnded) throw new Error("The run has ended, so nothing more is changed.")
}

/** Longer texts are not kept. */
const longestText = 2 ** 20

/** The version that the log keeps of a content. Absent content: there was no file. */
async function keep(
  { environment }: Drive,
  content: SeenFile["before"],
  save: (text: string) => Promise<string> | string,
): Promise<FileVersion | undefined> {
  if (!content) return undefined
  const { mode } = content
  const rest = mode === undefined || mode === "100644" ? {} : { mode }
  if (isUnread(content)) return { without: content.without, ...rest }
  const { bytes } = content
  const version = { hash: hash("sha256", bytes, "hex"), ...rest }
  if (bytes.length > longestText) return { ...version, without: "size" }
  if (!isText(bytes)) return { ...version, without: "binary" }
  const text = Buffer.from(bytes).toString()
  const clean = environment.models.redact(text)
  const blob = await save(clean)
  return { ...version, blob, ...(clean !== text && { without: "secret" as const }) }
}

const isUnread = (content: FileContent | UnreadFile): content is UnreadFile => "without" in content

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0)

const changeOf = (
  path: string,
  before: FileVersion | undefined,
  after: FileVersion | undefined,
): KeptChange => ({
  path,
  ...(before && { before }),
  ...(after && { after }),
})

/**
 * Many texts in few blobs, because every blob is synced to the disk. `add` gives a temporary name for a text, and
 * `settle` puts the blob and its part in its place.
 */
class TextPack {
  readonly #save: (text: string) => Promise<string>
  readonly #places = new Map<string, { readonly chunk: number; readonly part: number }>()
  readonly #blobs: string[] = []
  #texts: string[] = []
  #size = 0

  constructor(save: (text: string) => Promise<string>) {
    this.#save = save
  }

  async add(text: string): Promise<string> {
    const name = hash("sha256", text, "hex")
    if (this.#places.has(name)) return name
    if (this.#size + text.length > longestChunk) await this.finish()
    this.#places.set(name, { chunk: this.#blobs.length, part: this.#texts.length })
    this.#texts.push(text)
    this.#size += text.length
    return name
  }

  async finish(): Promise<void> {
    if (this.#texts.length === 0) return
    const texts = this.#texts
    this.#texts = []
    this.#size = 0
    this.#blobs.push(await this.#save(JSON.stringify(texts)))
  }

  settle(version: FileVersion | undefined): FileVersion | undefined {
    const place = version?.blob === undefined ? undefined : this.#places.get(version.blob)
    return place ? { ...version, blob: this.#blobs[place.chunk]!, part: place.part } : version
  }
}

const longestChunk = 4 * 2 ** 20
