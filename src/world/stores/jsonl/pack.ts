import { CadreError } from "../../../ground/errors.ts"
import { encodeContent } from "../content.ts"
import type { Blobs } from "./blobs.ts"

/**
 * Longer strings are moved to blobs, so a line stays below twice this size. References stand beside the value, never
 * inside it, so recorded data cannot be mistaken for one. A packed line has `packed` and `value` and no `run`.
 */
const longestString = 32 * 1024
const longestText = 64 * 1024

export interface Packed {
  /** The JSON text of one line. */
  readonly text: string
  /** Texts that must be stored as blobs before the line is written. */
  readonly contents: readonly string[]
}

/** `[path, hash]`: the string at this path is in that blob. With an empty path the blob is the whole value, as JSON. */
export type BlobReference = readonly [path: readonly string[], hash: string]

export function pack(value: object): Packed {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) <= longestString) return { text, contents: [] }
  return packLong(value, text)
}

/** Restores a recorded value. Throws LOG_DAMAGED if a blob is missing or altered. */
export function unpack(
  value: Record<string, unknown>,
  references: readonly BlobReference[],
  blobs: Blobs,
): unknown {
  let whole: unknown = value
  for (const [path, hash] of references) {
    const content = blobs.read(hash)
    if (content === undefined)
      throw new CadreError("LOG_DAMAGED", `The blob ${hash} of a recorded event is missing.`)
    whole = path.length === 0 ? JSON.parse(content) : put(whole, path, content)
  }
  return whole
}

/** Reads the references of a packed line. Undefined: they do not have the form that `pack` writes. */
export function readBlobReferences(packed: unknown): readonly BlobReference[] | undefined {
  if (!Array.isArray(packed)) return undefined
  const isValid = packed.every(
    (reference) =>
      Array.isArray(reference) &&
      Array.isArray(reference[0]) &&
      reference[0].every((key) => typeof key === "string") &&
      /^[0-9a-f]{64}$/.test(String(reference[1])),
  )
  return isValid ? packed : undefined
}

function packLong(value: object, text: string): Packed {
  const references: BlobReference[] = []
  const contents: string[] = []
  const rest = JSON.parse(text)
  moveStrings(rest, [], (path, content) => {
    references.push([path, encodeContent(content).hash])
    contents.push(content)
  })
  const shorter = references.length === 0 ? text : JSON.stringify({ packed: references, value: rest })
  if (Buffer.byteLength(shorter) <= longestText) return { text: shorter, contents }
  const whole: BlobReference = [[], encodeContent(text).hash]
  return { text: JSON.stringify({ packed: [whole], value: essence(value) }), contents: [text] }
}

function moveStrings(
  holder: Record<string, unknown>,
  path: readonly string[],
  move: (path: readonly string[], content: string) => void,
): void {
  for (const key of Object.keys(holder)) {
    const item = holder[key]
    if (typeof item === "string" && Buffer.byteLength(item) > longestString) {
      move([...path, key], item)
      holder[key] = null
    } else if (typeof item === "object" && item !== null)
      moveStrings(item as Record<string, unknown>, [...path, key], move)
  }
}

/** The fields that the store itself needs without opening the blob. */
function essence(value: object): object {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, item]) => essential.has(key) && (JSON.stringify(item)?.length ?? 0) < 1024,
    ),
  )
}

const essential = new Set([
  "run",
  "seq",
  "at",
  "v",
  "type",
  "charge",
  "settle",
  "allowance",
  "agent",
  "outcome",
  "key",
])

/** Follows own properties only, so that a crafted path cannot reach a prototype. */
function put(whole: unknown, path: readonly string[], content: string): unknown {
  let holder = whole as Record<string, unknown>
  for (const [index, key] of path.entries()) {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key))
      throw new CadreError(
        "LOG_DAMAGED",
        `A recorded event refers to a blob at ${JSON.stringify(path)}, but has no such field.`,
      )
    if (index === path.length - 1) holder[key] = content
    else holder = holder[key] as Record<string, unknown>
  }
  return whole
}
