import fs from "node:fs"
import path from "node:path"
import { createHash, makeRandomBytes } from "../../../ground/crypto.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { hasErrorCode, makeFolder } from "./disk.ts"
import { heldClaims } from "./endpoint.ts"
import { listNames } from "./list-names.ts"
import { checkLiveness } from "./liveness.ts"
import { type ClaimOwner, isOwner } from "./owner.ts"

/** The holder of a key: a run, and the process that was about to create it. Empty: the key was released. */
interface Holding {
  readonly run?: string
  readonly owner?: ClaimOwner
}

/**
 * The keys that runs hold, one folder each. A holding is linked to the next number, like a log to its epoch, so only
 * one of two simultaneous attempts succeeds. The holder's log says whether the holder still counts.
 */
export class RunKeys {
  readonly #folder: string
  readonly #statusOf: (run: string) => Promise<RunHead["status"] | undefined>
  /** The nonce of each run that is about to be created. Other processes ask for it. */
  readonly #starting = new Map<string, string>()

  constructor(folder: string, statusOf: (run: string) => Promise<RunHead["status"] | undefined>) {
    this.#folder = folder
    this.#statusOf = statusOf
  }

  async hold(run: string, key: string, owner: Omit<ClaimOwner, "nonce">): Promise<"held" | { run: string }> {
    const folder = this.#folderOf(key)
    const nonce = this.#starting.get(run) ?? makeRandomBytes(12).toString("hex")
    // This is set before other processes can read the holding: one that asks must not hear that we do not hold it.
    this.#start(run, nonce)
    for (;;) {
      const number = newestNumber(folder)
      const holding = readHolding(folder, number)
      if (holding.run !== undefined && holding.run !== run && (await this.#isActive(holding))) {
        this.created(run)
        return { run: holding.run }
      }
      if (link(folder, number + 1, { run, owner: { ...owner, nonce } })) return "held"
    }
  }

  async holder(key: string): Promise<string | undefined> {
    const folder = this.#folderOf(key)
    const holding = readHolding(folder, newestNumber(folder))
    return holding.run !== undefined && (await this.#isActive(holding)) ? holding.run : undefined
  }

  /** The run is created: from now on its log gives its status. */
  created(run: string): void {
    heldClaims.delete(this.#starting.get(run) ?? "")
    this.#starting.delete(run)
  }

  letGo(run: string, key: string): void {
    this.created(run)
    const folder = this.#folderOf(key)
    const number = newestNumber(folder)
    if (readHolding(folder, number).run === run) link(folder, number + 1, {})
  }

  close(): void {
    for (const run of [...this.#starting.keys()]) this.created(run)
  }

  #start(run: string, nonce: string): void {
    this.#starting.set(run, nonce)
    heldClaims.set(nonce, () => {})
  }

  #folderOf(key: string): string {
    return path.join(this.#folder, createHash("sha256").update(key).digest("hex").slice(0, 40))
  }

  /** A holder without a log counts for as long as the process lives that is about to create it. */
  async #isActive({ run, owner }: Holding): Promise<boolean> {
    const status = await this.#statusOf(run!)
    if (status !== undefined) return status === "open"
    const liveness = owner ? await checkLiveness(owner) : { type: "dead" }
    // An owner that may be alive may be about to create the run.
    if (liveness.type !== "dead") return true
    // The run may have been created between the two checks.
    return (await this.#statusOf(run!)) === "open"
  }
}

/**
 * The number of old holdings that are kept, because a slow process may still try to link the number after an old one.
 */
const keptNumbers = 16

function newestNumber(folder: string): number {
  let newest = 0
  for (const name of listNames(folder)) newest = Math.max(newest, Number(/^\d{1,15}$/.exec(name)?.[0] ?? 0))
  return newest
}

/** Links a holding to a number. False: the number is, or was, in use. */
function link(folder: string, number: number, holding: Holding): boolean {
  makeFolder(folder)
  const file = path.join(folder, String(number))
  const temporary = path.join(folder, `temporary.${makeRandomBytes(6).toString("hex")}`)
  fs.writeFileSync(temporary, JSON.stringify(holding), { mode: 0o600, flag: "wx" })
  try {
    fs.linkSync(temporary, file)
  } catch (error) {
    if (hasErrorCode(error, "EEXIST")) return false
    throw error
  } finally {
    fs.rmSync(temporary, { force: true })
  }
  if (newestNumber(folder) !== number) {
    fs.rmSync(file, { force: true })
    return false
  }
  fs.rmSync(path.join(folder, String(number - keptNumbers)), { force: true })
  return true
}

/** An unreadable holding counts as empty. Holdings are linked whole, so it was damaged later. */
function readHolding(folder: string, number: number): Holding {
  try {
    const { run, owner } = JSON.parse(fs.readFileSync(path.join(folder, String(number)), "utf8")) as Holding
    return typeof run === "string" ? { run, ...(isOwner(owner) && { owner }) } : {}
  } catch (error) {
    if (error instanceof SyntaxError || hasErrorCode(error, "ENOENT")) return {}
    throw error
  }
}
