import fs from "node:fs"
import path from "node:path"
import { randomBytes } from "../../../ground/crypto.ts"
import { CadreError } from "../../../ground/errors.ts"
import { contentOf, hashOf, textOf } from "../content.ts"
import { type Disk, hasCode, makeFolder, writeAll } from "./disk.ts"

/** Texts of one tree in a folder, each in a file named by the SHA-256 of its bytes. */
export class Blobs {
  readonly #disk: Disk
  readonly #folder: string

  constructor(disk: Disk, folder: string) {
    this.#disk = disk
    this.#folder = path.join(folder, "blobs")
  }

  has(hash: string): boolean {
    return fs.existsSync(path.join(this.#folder, hash))
  }

  /** Resolves when the disk has the bytes and their name: only then may a line name them. */
  async write(content: string): Promise<string> {
    const { hash, bytes } = contentOf(content)
    if (this.has(hash)) return hash
    makeFolder(this.#folder)
    const temporary = path.join(this.#folder, `.${randomBytes(8).toString("hex")}`)
    const descriptor = fs.openSync(temporary, "wx", 0o600)
    try {
      writeAll(this.#disk, descriptor, bytes)
      await this.#disk.sync(descriptor)
      fs.renameSync(temporary, path.join(this.#folder, hash))
    } catch (error) {
      fs.rmSync(temporary, { force: true })
      throw error
    } finally {
      fs.closeSync(descriptor)
    }
    await this.#disk.syncFolder(this.#folder)
    return hash
  }

  read(hash: string): string | undefined {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const file = path.join(this.#folder, hash)
    try {
      const bytes = fs.readFileSync(file)
      if (hashOf(bytes) === hash) return textOf(bytes)
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined
      throw error
    }
    throw new CadreError("LOG_DAMAGED", `The content of ${file} is not what its name says.`)
  }
}
