import fs from "node:fs"
import path from "node:path"
import { createHash, randomBytes } from "../../../ground/crypto.ts"
import type { RunHead } from "../../../run/log/store.ts"
import { hasCode, makeFolder } from "./disk.ts"
import { holdings } from "./endpoint.ts"
import { livenessOf } from "./liveness.ts"
import { namesIn } from "./names-in.ts"
import { isOwner, type Owner } from "./owner.ts"

/** Who has a key: a run, and the process that was about to create it. An empty one was let go of. */
interface Holding {
  readonly run?: string
  readonly owner?: Owner
}

/**
 * Keys that runs hold, in one folder each: holdings are linked to the next number, as logs are to their epochs, so that of
 * two that come at once one finds the number taken. Whether a holder still counts is for its log to say.
 */
export class Keys {
  readonly #folder: string
  readonly #statusOf: (run: string) => Promise<RunHead["status"] | undefined>
  /** By run: how others are told that it is about to be created. */
  readonly #starting = new Map<string, string>()

  constructor(folder: string, statusOf: (run: string) => Promise<RunHead["status"] | undefined>) {
    this.#folder = folder
    this.#statusOf = statusOf
  }

  async hold(run: string, key: string, owner: Omit<Owner, "nonce">): Promise<"held" | { run: string }> {
    const folder = this.#folderOf(key)
    const nonce = this.#starting.get(run) ?? randomBytes(12).toString("hex")
    // Before anybody can read of it, so that nobody who asks is told that we do not hold it.
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

  /** There is a log now that says how the run stands. */
  created(run: string): void {
    holdings.delete(this.#starting.get(run) ?? "")
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
    holdings.set(nonce, () => {})
  }

  #folderOf(key: string): string {
    return path.join(this.#folder, createHash("sha256").update(key).digest("hex").slice(0, 40))
  }

  /** One that has no log is waited for as long as the process lives that is about to create it. */
  async #isActive({ run, owner }: Holding): Promise<boolean> {
    const status = await this.#statusOf(run!)
    if (status !== undefined) return status === "open"
    const liveness = owner ? await livenessOf(owner) : { type: "dead" }
    // Whoever cannot be told dead may be about to create it.
    if (liveness.type !== "dead") return true
    // It may have been created between the two looks.
    return (await this.#statusOf(run!)) === "open"
  }
}

/** Of the numbers that were used; somebody may still be about to take the one after an old one. */
const keptNumbers = 16

function newestNumber(folder: string): number {
  let newest = 0
  for (const name of namesIn(folder)) newest = Math.max(newest, Number(/^\d{1,15}$/.exec(name)?.[0] ?? 0))
  return newest
}

/** False: the number is taken, or was. */
function link(folder: string, number: number, holding: Holding): boolean {
  makeFolder(folder)
  const file = path.join(folder, String(number))
  const temporary = path.join(folder, `temporary.${randomBytes(6).toString("hex")}`)
  fs.writeFileSync(temporary, JSON.stringify(holding), { mode: 0o600, flag: "wx" })
  try {
    fs.linkSync(temporary, file)
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
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

/** What cannot be read holds nothing: a holding is linked whole, so it was damaged since. */
function readHolding(folder: string, number: number): Holding {
  try {
    const { run, owner } = JSON.parse(fs.readFileSync(path.join(folder, String(number)), "utf8")) as Holding
    return typeof run === "string" ? { run, ...(isOwner(owner) && { owner }) } : {}
  } catch (error) {
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return {}
    throw error
  }
}
