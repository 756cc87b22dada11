import fs from "node:fs"
import path from "node:path"
import { createHash, makeRandomUuid } from "../../ground/crypto.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ReachableAgent } from "../../run/rights/reach.ts"
import { recordShownReach, type ShownReach } from "./reach.ts"

/** One file of a workspace that would gain rights, with the hash of the bytes that were read. */
export interface TrustItem {
  readonly file: string
  readonly hash: string
  /** The rights that it would gain. */
  readonly gains?: readonly string[]
  /** Its text, to show later what has changed. */
  readonly text?: string
  /** For an agent: the agents that it may call, directly or through others. */
  readonly reach?: readonly ReachableAgent[]
  /** The file is only read: it is sent to a model, or belongs to a skill. It is not trusted for anything else. */
  readonly use?: "read"
}

/** The user's record of trust in a workspace. */
export interface TrustRecord {
  readonly root: string
  /** The identity of the folder. Another folder at the same path is not trusted. */
  readonly identity: string
  readonly at: string
  /** Hashes by path below the root. */
  readonly files: { readonly [file: string]: string }
  /** Hashes by path of files that are only read: context files, and files of skills. */
  readonly read?: { readonly [file: string]: string }
  /** The gains and text of each file as shown to the user, to show later what has changed. */
  readonly shown?: { readonly [file: string]: ShownFile }
  /** The agents that the files reached when they were trusted. Absent in older records. */
  readonly reach?: ShownReach
}

export interface ShownFile {
  readonly gains: readonly string[]
  /** Absent if it is too long to keep. */
  readonly text?: string
}

/** The most characters of a file that are kept for comparison. */
const longestText = 64 * 1024

export interface TrustChange {
  readonly file: string
  /** `unknown`: the user was never asked about it. */
  readonly change: "unknown" | "changed"
}

/**
 * The records of trust, one file for each workspace, named by a hash of its path. They are kept outside every workspace,
 * so a repository cannot write them.
 */
export class TrustStore {
  readonly #folder: string

  /** `state` is the state folder of cadre. */
  constructor(state: string) {
    this.#folder = path.join(state, "trust")
  }

  /** The record of the folder; undefined if there is none, or if another folder is at that path now. */
  read(root: string): TrustRecord | undefined {
    if (!fs.existsSync(root)) return undefined
    const real = realRoot(root)
    const record = readRecord(this.#fileOf(real))
    return record?.root === real && identitiesOf(real).includes(record.identity) ? record : undefined
  }

  grant(root: string, items: readonly TrustItem[], home: string): TrustRecord {
    refuseHomeOrRoot(root, home)
    const real = realRoot(root)
    const below = ({ file }: TrustItem) => path.relative(root, file)
    const before = this.read(root)
    const isThere = ([file]: readonly [string, unknown]) => fs.existsSync(path.join(real, file))
    const keepExisting = <Value>(record: { readonly [file: string]: Value } = {}) =>
      Object.entries(record).filter(isThere)
    const hashes = (listed: readonly TrustItem[]) => listed.map((item) => [below(item), item.hash] as const)
    const record: TrustRecord = {
      root: real,
      identity: identitiesOf(real).at(-1)!,
      at: new Date().toISOString(),
      // Earlier files are kept, because another working directory of the same repository sees other files.
      files: Object.fromEntries([...keepExisting(before?.files), ...hashes(items.filter(({ use }) => !use))]),
      read: Object.fromEntries([...keepExisting(before?.read), ...hashes(items.filter(({ use }) => use))]),
      shown: Object.fromEntries([
        ...keepExisting(before?.shown),
        ...items.flatMap((item) =>
          item.gains ? [[below(item), shownFile(item.gains, item.text)] as const] : [],
        ),
      ]),
      reach: recordShownReach(
        before?.reach,
        items.flatMap((item) => (item.reach ? [[below(item), item.reach] as const] : [])),
      ),
    }
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    replaceFile(this.#fileOf(real), `${JSON.stringify(record, null, 2)}\n`)
    return record
  }

  /** Returns whether there was a record to revoke. */
  revoke(root: string): boolean {
    const file = this.#fileOf(realRoot(root))
    const existed = fs.existsSync(file)
    fs.rmSync(file, { force: true })
    return existed
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

/** The files whose current content is not trusted. Empty: all of it is. */
export function findTrustChanges(
  record: TrustRecord | undefined,
  root: string,
  items: readonly TrustItem[],
): readonly TrustChange[] {
  return items.flatMap(({ file, hash, use }): readonly TrustChange[] => {
    const hashes = (use ? record?.read : record?.files) ?? {}
    const below = path.relative(root, file)
    const trustedHash = Object.hasOwn(hashes, below) ? hashes[below] : undefined
    if (trustedHash === hash) return []
    return [{ file, change: trustedHash === undefined ? "unknown" : "changed" }]
  })
}

/** Throws for a home folder and for the root of the file system, which contain everything else. */
export function refuseHomeOrRoot(root: string, home: string): void {
  const real = realRoot(root)
  if (real !== path.parse(real).root && real !== homeFolder(home)) return
  throw new CadreError(
    "TRUST_REFUSED",
    `${real} cannot be trusted as a workspace: everything below it would be trusted too. Trust the repository itself.`,
  )
}

const homeFolder = (home: string): string => (fs.existsSync(home) ? realRoot(home) : path.resolve(home))

const shownFile = (gains: readonly string[], text: string | undefined): ShownFile => ({
  gains,
  ...(text !== undefined && text.length <= longestText && { text }),
})

/** The identities of a folder, the surest last: an inode is reused after the folder is gone, its birth time is not. */
function identitiesOf(root: string): readonly string[] {
  const { ino, birthtimeNs, ctimeNs } = fs.statSync(root, { bigint: true })
  // A file system without birth times reports the last change instead.
  return birthtimeNs === ctimeNs ? [`${ino}`] : [`${ino}`, `${ino}:${birthtimeNs}`]
}

const realRoot = (root: string): string => fs.realpathSync(root)

/** An unreadable record counts as missing, so that nothing is trusted by mistake. */
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
    const { tools, denied = [], asks = [] } = (one ?? {}) as Partial<ReachableAgent>
    return [tools, denied, asks].every(isNames)
  }
  const isShown = (one: unknown) =>
    typeof one === "string" ||
    (typeof (one as Partial<ReachableAgent> | null)?.name === "string" && isAsked(one))
  const areAll = (map: unknown, fits: (value: unknown) => boolean) =>
    typeof map === "object" && map !== null && Object.values(map).every(fits)
  return (
    areAll(agents, version === undefined ? isNames : isAsked) &&
    areAll(files, (list) => Array.isArray(list) && list.every(isShown))
  )
}

function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${makeRandomUuid()}.tmp`
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush: true })
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}
