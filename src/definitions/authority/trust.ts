import fs from "node:fs"
import path from "node:path"
import { createHash, randomUUID } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Reached } from "../../run/rights/reach.ts"
import { type ShownReach, shownReach } from "./reach.ts"

/** One file of a workspace that would gain rights, with the hash of the bytes that were read. */
export interface TrustItem {
  readonly file: string
  readonly hash: string
  /** What it would be able to do. */
  readonly gains?: readonly string[]
  /** Its text, to show later what has changed. */
  readonly text?: string
  /** Of an agent: whom it may have work. */
  readonly reach?: readonly Reached[]
  /** Only its content is of use: it is sent to a model, or lies beside a skill. That makes nothing else of it trusted. */
  readonly use?: "read"
}

/** What a person has said of a workspace. */
export interface TrustRecord {
  readonly root: string
  /** The folder itself: another one in its place is not trusted. */
  readonly identity: string
  readonly at: string
  /** Hashes by path below the root. */
  readonly files: { readonly [file: string]: string }
  /** The same of files of which only the content is of use. */
  readonly read?: { readonly [file: string]: string }
  /** What people were shown of each file; only ever compared with what it is now. */
  readonly shown?: { readonly [file: string]: ShownFile }
  /** Whom the agents among them reached then. Absent in what was said before that was shown. */
  readonly reach?: ShownReach
}

export interface ShownFile {
  readonly gains: readonly string[]
  /** Absent where it is too long to keep. */
  readonly text?: string
}

/** Characters of a file that are kept to be compared. */
const longestText = 64 * 1024

export interface TrustChange {
  readonly file: string
  /** `unknown`: nobody was asked about it. */
  readonly change: "unknown" | "changed"
}

/**
 * Who is trusted, kept outside of every workspace: one file for each, named by where it is. A repository can neither
 * write nor name it.
 */
export class TrustStore {
  readonly #folder: string

  /** `state` is cadre's own folder for state. */
  constructor(state: string) {
    this.#folder = path.join(state, "trust")
  }

  /** What was said of the folder that is there now; undefined where nothing was, or where another one lies in its place. */
  read(root: string): TrustRecord | undefined {
    if (!fs.existsSync(root)) return undefined
    const real = realRoot(root)
    const record = readRecord(this.#fileOf(real))
    return record?.root === real && identitiesOf(real).includes(record.identity) ? record : undefined
  }

  grant(root: string, items: readonly TrustItem[], home: string): TrustRecord {
    refuseWhole(root, home)
    const real = realRoot(root)
    const below = ({ file }: TrustItem) => path.relative(root, file)
    const before = this.read(root)
    const isThere = ([file]: readonly [string, unknown]) => fs.existsSync(path.join(real, file))
    const kept = <Value>(known: { readonly [file: string]: Value } = {}) =>
      Object.entries(known).filter(isThere)
    const hashes = (listed: readonly TrustItem[]) => listed.map((item) => [below(item), item.hash] as const)
    const record: TrustRecord = {
      root: real,
      identity: identitiesOf(real).at(-1)!,
      at: new Date().toISOString(),
      // From another folder of the same repository other files are seen.
      files: Object.fromEntries([...kept(before?.files), ...hashes(items.filter(({ use }) => !use))]),
      read: Object.fromEntries([...kept(before?.read), ...hashes(items.filter(({ use }) => use))]),
      shown: Object.fromEntries([
        ...kept(before?.shown),
        ...items.flatMap((item) =>
          item.gains ? [[below(item), shownFile(item.gains, item.text)] as const] : [],
        ),
      ]),
      reach: shownReach(
        before?.reach,
        items.flatMap((item) => (item.reach ? [[below(item), item.reach] as const] : [])),
      ),
    }
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    replaceFile(this.#fileOf(real), `${JSON.stringify(record, null, 2)}\n`)
    return record
  }

  /** Whether there was anything to take back. */
  revoke(root: string): boolean {
    const file = this.#fileOf(realRoot(root))
    const known = fs.existsSync(file)
    fs.rmSync(file, { force: true })
    return known
  }

  list(): readonly TrustRecord[] {
    if (!fs.existsSync(this.#folder)) return []
    return fs
      .readdirSync(this.#folder)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => readRecord(path.join(this.#folder, name)) ?? [])
      .sort((one, other) => (one.root < other.root ? -1 : 1))
  }

  #fileOf(root: string): string {
    return path.join(this.#folder, `${createHash("sha256").update(root).digest("hex").slice(0, 32)}.json`)
  }
}

/** What of these files nobody has said that it is trusted. Empty: all of it was. */
export function changesSince(
  record: TrustRecord | undefined,
  root: string,
  items: readonly TrustItem[],
): readonly TrustChange[] {
  return items.flatMap(({ file, hash, use }): readonly TrustChange[] => {
    const hashes = (use ? record?.read : record?.files) ?? {}
    const below = path.relative(root, file)
    const known = Object.hasOwn(hashes, below) ? hashes[below] : undefined
    if (known === hash) return []
    return [{ file, change: known === undefined ? "unknown" : "changed" }]
  })
}

/** Throws for folders that hold everything else: a home folder, and the top of the file system. */
export function refuseWhole(root: string, home: string): void {
  const real = realRoot(root)
  if (real !== path.parse(real).root && real !== homeFolder(home)) return
  throw new CadreError(
    "TRUST_REFUSED",
    `${real} is no workspace: whatever lies below it would be trusted with it. Trust the repository itself.`,
  )
}

const homeFolder = (home: string): string => (fs.existsSync(home) ? realRoot(home) : path.resolve(home))

const shownFile = (gains: readonly string[], text: string | undefined): ShownFile => ({
  gains,
  ...(text !== undefined && text.length <= longestText && { text }),
})

/** By what a folder is known, the surest last: its number is used again once it is gone, when it was made is not. */
function identitiesOf(root: string): readonly string[] {
  const { ino, birthtimeNs, ctimeNs } = fs.statSync(root, { bigint: true })
  // Where nobody knows that time, the last change stands for it.
  return birthtimeNs === ctimeNs ? [`${ino}`] : [`${ino}`, `${ino}:${birthtimeNs}`]
}

const realRoot = (root: string): string => fs.realpathSync(root)

/** One that cannot be read says nothing, so that nobody is trusted by mistake. */
function readRecord(file: string): TrustRecord | undefined {
  try {
    const record = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<TrustRecord> | null
    const isWhole =
      typeof record?.root === "string" &&
      typeof record.identity === "string" &&
      typeof record.at === "string" &&
      typeof record.files === "object" &&
      record.files !== null &&
      isReach(record.reach)
    return isWhole ? (record as TrustRecord) : undefined
  } catch {
    return undefined
  }
}

function isReach(reach: unknown): boolean {
  if (reach === undefined) return true
  const { version, agents, files } = (reach ?? {}) as Partial<ShownReach>
  const isNames = (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === "string")
  const isAsked = (one: unknown) => {
    const { tools, denied = [], asks = [] } = (one ?? {}) as Partial<Reached>
    return [tools, denied, asks].every(isNames)
  }
  const isShown = (one: unknown) =>
    typeof one === "string" || (typeof (one as Partial<Reached> | null)?.name === "string" && isAsked(one))
  const areAll = (map: unknown, fits: (value: unknown) => boolean) =>
    typeof map === "object" && map !== null && Object.values(map).every(fits)
  return (
    areAll(agents, version === undefined ? isNames : isAsked) &&
    areAll(files, (list) => Array.isArray(list) && list.every(isShown))
  )
}

function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true })
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}
