import { isUtf8 } from "node:buffer"
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs"
import path from "node:path"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { hash } from "../../ground/crypto.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { isReallyInside } from "../formats/source.ts"

/** The places that decide which words of an entry are files of the project. */
export interface ScriptPlaces {
  /** The folder that relative paths start at. */
  readonly folder: string
  /** The project. */
  readonly root: string
}

/**
 * The files of the project that an entry names, as its program or in its arguments. They are code that the server runs.
 * Files that such a file loads in turn are not found.
 */
export function findServerScripts(
  settings: McpServerSettings,
  { folder, root }: ScriptPlaces,
): readonly string[] {
  if (!("command" in settings)) return []
  const { command, args = [] } = settings
  const words = [...(/[/\\]/.test(command) ? [command] : []), ...args.flatMap(wordsIn)]
  return [...new Set(words.map((word) => path.resolve(folder, word)))].filter(
    (file) => isBelow(root, file) && isFile(file),
  )
}

/** The argument, and the value of an option such as `--import=./start.mjs`. */
function wordsIn(argument: string): readonly string[] {
  if (argument === "" || argument.includes("\0")) return []
  const [, value] = /^-[^=]*=(.+)$/s.exec(argument) ?? []
  return value === undefined ? [argument] : [argument, value]
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** The content of a script, to compare it with what the user trusted. */
export interface ScriptContent {
  readonly hash: string
  /** Absent for a program that is no text, or a very long one. */
  readonly text?: string
}

/** Reads a script. Undefined: it is no regular file, leads out of the project, or is too large to compare. */
export function readServerScript(file: string, root: string): ScriptContent | undefined {
  if (!isReallyInside(file, root)) return undefined
  let descriptor: number
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile() || stats.size > largest) return undefined
    const bytes = readFileSync(descriptor)
    const isText = bytes.length <= longestText && isUtf8(bytes) && !bytes.includes(0)
    return { hash: hash("sha256", bytes, "hex"), ...(isText && { text: bytes.toString("utf8") }) }
  } finally {
    closeSync(descriptor)
  }
}

const largest = 64 * 1024 * 1024
const longestText = 256 * 1024
