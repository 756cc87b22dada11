import { isUtf8 } from "node:buffer"
import fs from "node:fs"
import path from "node:path"
import { hash } from "../../ground/crypto.ts"
import { resolvePlace } from "../../ground/paths/contain.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"
import { maskSecrets } from "../rules/secrets/secrets.ts"

/** The most bytes of one file in a prompt. */
const longestText = 64 * 1024
/** A larger file is refused, because it is no text for a prompt. */
const largestFile = 4 * 1024 * 1024

/** A file of a project, ready for a prompt. */
export interface ProjectFile {
  /** The path without links. */
  readonly path: string
  readonly text: string
  /** The hash of the whole file. */
  readonly hash: string
  /** Notes about differences between `text` and the file. */
  readonly notes: readonly string[]
}

/** The folder that files are read from, and the check whether the rules of a run allow a file. */
export interface ContextProject {
  /** The path without links. */
  readonly root: string
  permits(file: string): boolean
}

/** Reads a file of a project. Throws a Refusal if the file is outside, protected, denied or not text. */
export async function readProjectFile({ root, permits }: ContextProject, file: string): Promise<ProjectFile> {
  const place = resolvePlace({ root, more: [] }, root, file, "read")
  if (place.type !== "inside") throw new PathRefusal(place.reason)
  refuseSecrets(root, place.path)
  if (!permits(place.path))
    throw new PathRefusal(`The rules of this run do not allow reading ${place.path} without a question.`)
  if (!fs.existsSync(place.path)) throw new PathRefusal(`There is no file ${file} in ${root}.`)
  const opened = openFile(place.base, place.path)
  try {
    const size = Number(opened.stats.size)
    if (size > largestFile)
      throw new PathRefusal(`${file} has ${size} bytes, which is too large for a prompt.`)
    const bytes = await readBytes(opened, size)
    if (!isUtf8(bytes) || bytes.includes(0)) throw new PathRefusal(`${file} is not UTF-8 text.`)
    return { path: place.path, hash: hash("sha256", bytes, "hex"), ...promptText(bytes) }
  } finally {
    fs.closeSync(opened.descriptor)
  }
}

/** Refuses keys and protected files: a prompt leaves the machine. */
function refuseSecrets(root: string, target: string): void {
  // Rules are in a protected folder, but are meant to be sent.
  if (target.endsWith(path.join(path.sep, ".cadre", "rules.md"))) return
  if (isProtected(root, target, "write") !== undefined || isKeyFile(path.basename(target)))
    throw new PathRefusal(`${target} is protected or may contain keys, so it is not sent to a model.`)
}

const isKeyFile = (name: string): boolean =>
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)\b|^credentials(?:\.|$)/i.test(name)

function promptText(bytes: Buffer): Pick<ProjectFile, "text" | "notes"> {
  const isLong = bytes.length > longestText
  const whole = bytes.toString("utf8").replace(/^\uFEFF/, "")
  const excerpt = isLong ? bytes.subarray(0, wholeCharacters(bytes)).toString("utf8") : whole
  const text = maskSecrets(excerpt.trimEnd())
  const cut = `cut after ${longestText} of ${bytes.length} bytes`
  return {
    text: isLong ? `${text}\n[This file was ${cut}.]` : text,
    notes: [
      ...(isLong ? [cut] : []),
      ...(text === excerpt.trimEnd() ? [] : ["text that looks like a key is masked"]),
    ],
  }
}

/** The length of the excerpt, without half a character at its end. */
function wholeCharacters(bytes: Buffer): number {
  let end = longestText
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return end
}
