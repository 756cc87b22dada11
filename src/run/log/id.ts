import { createHash, randomBytes } from "../../ground/crypto.ts"

/**
 * Root ids are random and sort by time: ten characters of milliseconds, then sixteen of chance.
 * A child is its parent's id plus `.N`; a call is `cN` within its run.
 */
export function createRunId(now: number): string {
  let id = timeOf(now)
  for (let i = 0; i < 16; i++) id += alphabet[chance() % 32]
  return id
}

/** The id of the root that comes after one that ended then: always the same, and later in time. */
export function nextRunId(run: string, ended: number): string {
  let began = 0
  for (const letter of run.slice(0, 10)) began = began * 32 + alphabet.indexOf(letter)
  let id = timeOf(Math.max(ended, began) + 1)
  const bytes = createHash("sha256").update(`the run after ${run}`).digest()
  for (let i = 0; i < 16; i++) id += alphabet[bytes[i]! % 32]
  return id
}

function timeOf(now: number): string {
  let text = ""
  for (let rest = Math.floor(now), i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text
  return text
}

let bytes: Uint8Array = new Uint8Array(0)
let used = 0

/** One byte, of many that were drawn at once. */
function chance(): number {
  if (used === bytes.length) {
    bytes = randomBytes(1024)
    used = 0
  }
  return bytes[used++]!
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

export const isRunId = (text: string): boolean =>
  text.length <= 200 && /^[0-9a-hjkmnp-tv-z]{26}(\.[1-9][0-9]{0,8})*$/.test(text)

/** The root of the tree a run is in. */
export const rootOf = (run: string): string => {
  const dot = run.indexOf(".")
  return dot < 0 ? run : run.slice(0, dot)
}

/** The run that started this one, or undefined for a root. */
export const parentOf = (run: string): string | undefined => {
  const dot = run.lastIndexOf(".")
  return dot < 0 ? undefined : run.slice(0, dot)
}

/** Names the work of handing on what a child failed at, or what hooks say of an agent that is to get it. */
export const fallbackKey = (run: string, agent?: string): string =>
  `fallback ${run}${agent === undefined ? "" : ` ${agent}`}`

/** The child and the agent that such a name is of; undefined where it is none. */
export function readFallbackKey(key: string): { readonly run: string; readonly agent?: string } | undefined {
  const [, run, agent] = /^fallback (\S+)(?: (.+))?$/s.exec(key) ?? []
  return run === undefined ? undefined : { run, ...(agent !== undefined && { agent }) }
}

/** Names one command of a look at what must hold. */
export const checkKey = (turn: number, index: number): string => `check-${turn}-${index + 1}`

export const isOfCheck = (key: string): boolean => key.startsWith("check-")

/** How a run speaks of those below it: by the whole id, or short, `.2` for its second child. */
export const belowOf = (run: string, text: string): string =>
  /^\.?[1-9][0-9]{0,8}(\.[1-9][0-9]{0,8})*$/.test(text) ? `${run}.${text.replace(/^\./, "")}` : text
