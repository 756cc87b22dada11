import { CadreError } from "../../../ground/errors.ts"
import { contentOf } from "../content.ts"
import type { Blobs } from "./blobs.ts"

/**
 * Strings above this go to blobs of their own; a line stays below twice that. References stand beside the value, never
 * inside it, so nothing a user records can be taken for one: a packed line has `packed` and `value` and no `run`.
 */
const longestString = 32 * 1024
const longestText = 64 * 1024

export interface Packed {
  /** The JSON text of one line. */
  readonly text: string
  /** What must be kept before the line is written. */
  readonly contents: readonly string[]
}

/** `[path, hash]`: the string at this place is that blob. An empty path: the whole value is, as JSON. */
export type Reference = readonly [path: readonly string[], hash: string]

export function pack(value: object): Packed {
  const text = JSON.stringify(value)
  // No character needs more than three bytes, so most lines need not be measured.
  if (text.length * 3 <= longestString || Buffer.byteLength(text) <= longestString)
    return { text, contents: [] }
  return packLong(value, text)
}

/** The value as it was recorded. Throws LOG_DAMAGED when a blob is gone or altered. */
export function unpack(
  value: Record<string, unknown>,
  references: readonly Reference[],
  blobs: Blobs,
): unknown {
  let whole: unknown = value
  for (const [path, hash] of references) {
    const content = blobs.read(hash)
    if (content === undefined)
      throw new CadreError("LOG_DAMAGED", `The blob ${hash} that a recorded event names is missing.`)
    whole = path.length === 0 ? JSON.parse(content) : put(whole, path, content)
  }
  return whole
}

/** The references of a packed line, or undefined when they are not what `pack` writes. */
export function referencesOf(packed: unknown): readonly Reference[] | undefined {
  if (!Array.isArray(packed)) return undefined
  const sound = packed.every(
    (reference) =>
      Array.isArray(reference) &&
      Array.isArray(reference[0]) &&
      reference[0].every((key) => typeof key === "string") &&
      /^[0-9a-f]{64}$/.test(String(reference[1])),
  )
  return sound ? packed : undefined
}

function packLong(value: object, text: string): Packed {
  const references: Reference[] = []
  const contents: string[] = []
  const rest = JSON.parse(text)
  moveStrings(rest, [], (path, content) => {
    references.push([path, contentOf(content).hash])
    contents.push(content)
  })
  const shorter = references.length === 0 ? text : JSON.stringify({ packed: references, value: rest })
  if (Buffer.byteLength(shorter) <= longestText) return { text: shorter, contents }
  const whole: Reference = [[], contentOf(text).hash]
  return { text: JSON.stringify({ packed: [whole], value: essence(value) }), contents: [text] }
}

function moveStrings(
  holder: Record<string, unknown>,
  path: readonly string[],
  move: (path: readonly string[], content: string) => void,
): void {
  for (const key of Object.keys(holder)) {
    const item = holder[key]
    if (
      typeof item === "string" &&
      item.length * 3 > longestString &&
      Buffer.byteLength(item) > longestString
    ) {
      move([...path, key], item)
      holder[key] = null
    } else if (typeof item === "object" && item !== null)
      moveStrings(item as Record<string, unknown>, [...path, key], move)
  }
}

/** What the store itself must know of a value without opening its blob. */
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

/** Own properties only: a crafted path must not lead to a prototype. */
function put(whole: unknown, path: readonly string[], content: string): unknown {
  let holder = whole as Record<string, unknown>
  for (const [index, key] of path.entries()) {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key))
      throw new CadreError(
        "LOG_DAMAGED",
        `A recorded event names a blob for ${JSON.stringify(path)}, which it does not have.`,
      )
    if (index === path.length - 1) holder[key] = content
    else holder = holder[key] as Record<string, unknown>
  }
  return whole
}
