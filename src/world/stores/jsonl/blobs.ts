import fs from "node:fs"
import path from "node:path"
import { makeRandomBytes } from "../../../ground/crypto.ts"
import { CadreError } from "../../../ground/errors.ts"
import { decodeContent, encodeContent, hashOf } from "../content.ts"
import { type Disk, hasErrorCode, makeFolder, writeAll } from "./disk.ts"

/** The blobs of one tree: a folder of texts, each in a file named by the SHA-256 of its bytes. */
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

  /** Resolves when the file and its name are on disk. Only then may a line refer to the blob. */
  async write(content: string): Promise<string> {
    const { hash, bytes } = encodeContent(content)
    if (this.has(hash)) return hash
    makeFolder(this.#folder)
    const temporary = path.join(this.#folder, `.${makeRandomBytes(8).toString("hex")}`)
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
      if (hashOf(bytes) === hash) return decodeContent(bytes)
    } catch (error) {
      if (hasErrorCode(error, "ENOENT")) return undefined
      throw error
    }
    throw new CadreError("LOG_DAMAGED", `The content of ${file} does not match the hash in its name.`)
  }
}
