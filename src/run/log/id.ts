import { createHash, makeRandomBytes } from "../../ground/crypto.ts"

/**
 * Root ids are random and sort by time: ten characters of milliseconds, then sixteen random ones.
 * A child's id is its parent's id plus `.N`; a call's id is `cN` within its run.
 */
export function createRunId(now: number): string {
  let id = timeOf(now)
  for (let i = 0; i < 16; i++) id += alphabet[randomByte() % 32]
  return id
}

/** The id of the root that follows a root that ended at that time. It is always the same, and sorts later. */
export function computeNextRunId(run: string, ended: number): string {
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

/** Returns one byte of a batch: random bytes are drawn 1024 at a time. */
function randomByte(): number {
  if (used === bytes.length) {
    bytes = makeRandomBytes(1024)
    used = 0
  }
  return bytes[used++]!
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

export const isRunId = (text: string): boolean =>
  text.length <= 200 && /^[0-9a-hjkmnp-tv-z]{26}(\.[1-9][0-9]{0,8})*$/.test(text)

/** The root of the tree that a run is in. */
export const getRootRun = (run: string): string => {
  const dot = run.indexOf(".")
  return dot < 0 ? run : run.slice(0, dot)
}

/** The run that started this one, or undefined for a root. */
export const findParentRun = (run: string): string | undefined => {
  const dot = run.lastIndexOf(".")
  return dot < 0 ? undefined : run.slice(0, dot)
}

/** The key for handing on the task of a failed child. With an agent: for asking hooks about that agent. */
export const writeFallbackKey = (run: string, agent?: string): string =>
  `fallback ${run}${agent === undefined ? "" : ` ${agent}`}`

/** The child and the agent in a fallback key; undefined if the text is no such key. */
export function readFallbackKey(key: string): { readonly run: string; readonly agent?: string } | undefined {
  const [, run, agent] = /^fallback (\S+)(?: (.+))?$/s.exec(key) ?? []
  return run === undefined ? undefined : { run, ...(agent !== undefined && { agent }) }
}

/** The key for one command of a postcondition check. */
export const checkKey = (turn: number, index: number): string => `check-${turn}-${index + 1}`

export const isCheckKey = (key: string): boolean => key.startsWith("check-")

/** The full id of a run below, from a full id or a short one: `.2` is the second child. */
export const toFullRunId = (run: string, text: string): string =>
  /^\.?[1-9][0-9]{0,8}(\.[1-9][0-9]{0,8})*$/.test(text) ? `${run}.${text.replace(/^\./, "")}` : text
