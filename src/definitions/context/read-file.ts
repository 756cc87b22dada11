import { isUtf8 } from "node:buffer"
import fs from "node:fs"
import path from "node:path"
import { hash } from "../../ground/crypto.ts"
import { placeOf } from "../../ground/paths/contain.ts"
import { openFile, readBytes } from "../../ground/paths/open-file.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import { Refusal } from "../../ground/paths/refusal.ts"
import { maskSecrets } from "../rules/secrets/secrets.ts"

/** Bytes of one file that go into a prompt. */
const longestText = 64 * 1024
/** What is larger is no text that anybody would put into a prompt. */
const largestFile = 4 * 1024 * 1024

/** A file of a project as it may be put into a prompt. */
export interface ProjectFile {
  /** Without links. */
  readonly path: string
  readonly text: string
  /** Of all its bytes. */
  readonly hash: string
  /** What is not as it stands in the file. */
  readonly notes: readonly string[]
}

/** Where files are taken from, and which of them the rules of a run let it read. */
export interface Project {
  /** Without links. */
  readonly root: string
  permits(file: string): boolean
}

/** Reads a file of a project. Throws a Refusal where it lies outside, is protected or denied, or is no text. */
export async function readProjectFile({ root, permits }: Project, given: string): Promise<ProjectFile> {
  const place = placeOf({ root, more: [] }, root, given, "read")
  if (place.type !== "inside") throw new Refusal(place.reason)
  refuseSecrets(root, place.path)
  if (!permits(place.path))
    throw new Refusal(`The rules of this run do not let it read ${place.path} without being asked.`)
  if (!fs.existsSync(place.path)) throw new Refusal(`There is no file ${given} in ${root}.`)
  const file = openFile(place.base, place.path)
  try {
    const size = Number(file.stats.size)
    if (size > largestFile) throw new Refusal(`${given} has ${size} bytes, which no prompt takes.`)
    const bytes = await readBytes(file, size)
    if (!isUtf8(bytes) || bytes.includes(0)) throw new Refusal(`${given} is no text in UTF-8.`)
    return { path: place.path, hash: hash("sha256", bytes, "hex"), ...readable(bytes) }
  } finally {
    fs.closeSync(file.descriptor)
  }
}

/** Keys of every kind, and what tells programs what to run, stay where they are: a prompt leaves the machine. */
function refuseSecrets(root: string, target: string): void {
  // They lie in a protected folder, and are written to be sent.
  if (target.endsWith(path.join(path.sep, ".cadre", "rules.md"))) return
  if (isProtected(root, target, "write") !== undefined || isKeyFile(path.basename(target)))
    throw new Refusal(`${target} is protected or holds keys: it is not sent to a model.`)
}

const isKeyFile = (name: string): boolean =>
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)\b|^credentials(?:\.|$)/i.test(name)

function readable(bytes: Buffer): Pick<ProjectFile, "text" | "notes"> {
  const isLong = bytes.length > longestText
  const whole = bytes.toString("utf8").replace(/^\uFEFF/, "")
  const kept = isLong ? bytes.subarray(0, wholeCharacters(bytes)).toString("utf8") : whole
  const text = maskSecrets(kept.trimEnd())
  const cut = `cut after ${longestText} of ${bytes.length} bytes`
  return {
    text: isLong ? `${text}\n[This file was ${cut}.]` : text,
    notes: [
      ...(isLong ? [cut] : []),
      ...(text === kept.trimEnd() ? [] : ["what looks like a key in it is masked"]),
    ],
  }
}

/** No character is cut in two. */
function wholeCharacters(bytes: Buffer): number {
  let end = longestText
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return end
}
