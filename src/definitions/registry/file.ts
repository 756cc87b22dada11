import { type Stats, statSync } from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Format } from "../formats/format.ts"
import { inItsWords } from "../formats/in-its-words.ts"
import { diagnose, type Locate, type Problem } from "../formats/problem.ts"
import { readAgent, type Source } from "../formats/read-agent.ts"
import type { ReadOptions } from "../formats/read-options.ts"
import { readSourceFile } from "../formats/source.ts"
import { type Detected, detectFormat, pluginOf } from "./detect.ts"
import { describeForeign, type Foreign, foreignInPlace } from "./foreign.ts"

/** One file as it was read. */
export interface ReadFile {
  readonly path: string
  readonly format: Format | undefined
  readonly agent: Agent | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly text: string
  readonly locate: Locate
  readonly hash: string
  /** The one part that changes: a file that was touched and not changed is the same file. */
  stamp: Stamp | undefined
}

/** What tells one state of a file from another without reading it, and when it was looked at. */
interface Stamp {
  readonly size: number
  readonly modified: number
  readonly changed: number
  readonly inode: number
  readonly readAt: number
}

/** File systems count time in steps of up to two seconds: within one, a second change cannot be told from the first. */
const settled = 2_100

/** Reads a file in a format, or in the one that its place and ending tell. */
export function readDefinition(file: string, format: Format | undefined, options: ReadOptions): ReadFile {
  const readAt = Date.now()
  const reading = readSourceFile(file)
  if (reading.type === "refused") {
    const problem = format ? inItsWords(format, [reading.problem], file)[0]! : reading.problem
    // What was refused is told from another refusal by what was said about it.
    return { ...unread(file, format, problem), hash: problem.message }
  }
  const read = readText(reading.source, format, options)
  read.stamp = stampOf(reading.stats, readAt)
  return read
}

export function readText(
  source: Required<Source>,
  format: Format | undefined,
  options: ReadOptions,
): ReadFile {
  const { path: file, text, hash } = source
  const detected = format ? detectIn(format, file, text, options) : detectFormat(file, text)
  if (detected.type !== "format") return { ...unread(file, undefined, notOurs(detected)), text, hash }
  const plugin = detected.format.id === "claude" ? pluginOf(file) : undefined
  const { agent, problems, repaired, locate } = readAgent(
    detected.format,
    source,
    plugin === undefined ? options : { ...options, plugin },
  )
  const isPage = problems.some(({ code }) => code === "frontmatter-missing") && isReadme(file)
  return {
    path: file,
    format: isPage ? undefined : detected.format,
    agent,
    problems: isPage ? problems.map(asNote) : problems,
    repaired,
    text,
    locate,
    hash,
    stamp: undefined,
  }
}

/** A folder says what its files are, unless a file says itself that it is another tool's. */
function detectIn(format: Format, file: string, text: string, { scope }: ReadOptions): Detected {
  const foreign = scope === undefined ? undefined : foreignInPlace(format, file, text)
  return foreign ? { type: "foreign", foreign } : { type: "format", format }
}

/** People describe a folder of agents in the folder: a page without front matter is not meant to be one of them. */
const isReadme = (file: string): boolean =>
  /(^|[\\/])(?:readme|architecture|authors|changelog|contributing|code[_-]of[_-]conduct|index|licen[cs]e|notice|security|support)(?:[._-][\w-]+)?\.(md|markdown)$/i.test(
    file,
  )

const asNote = (problem: Problem): Problem =>
  problem.code === "frontmatter-missing"
    ? {
        ...problem,
        severity: "info",
        message: "This page has no front matter, so it is taken for a description of the folder.",
      }
    : problem

/** Whether a file is still as it was read: by its stamp where that can be trusted, else by its bytes. */
export function isCurrent(read: ReadFile): boolean {
  const stats = statSync(read.path, { throwIfNoEntry: false })
  const { stamp } = read
  if (!stats || !stamp) return false
  return (
    stats.size === stamp.size &&
    stats.mtimeMs === stamp.modified &&
    stats.ctimeMs === stamp.changed &&
    stats.ino === stamp.inode &&
    Math.max(stamp.modified, stamp.changed) + settled < stamp.readAt
  )
}

export const diagnosticsOf = (read: ReadFile, problems = read.problems): readonly Diagnostic[] =>
  diagnose(read.path, read.text, read.locate, problems)

const stampOf = (stats: Stats, readAt: number): Stamp => ({
  size: stats.size,
  modified: stats.mtimeMs,
  changed: stats.ctimeMs,
  inode: stats.ino,
  readAt,
})

/** A file that could not even be opened, or is not one of ours. */
export const unread = (file: string, format: Format | undefined, problem: Problem): ReadFile => ({
  path: file,
  format,
  agent: undefined,
  problems: [problem],
  repaired: false,
  text: "",
  locate: () => undefined,
  hash: "",
  stamp: undefined,
})

function notOurs(detected: Exclude<Detected, { type: "format" }>): Problem {
  return detected.type === "foreign"
    ? foreignProblem(detected.foreign)
    : {
        code: "format-later",
        severity: "warning",
        message: unknownMessages[detected.why],
        at: { type: "start" },
      }
}

const unknownMessages = {
  ending: "No format of agent files ends like this; name one with `--as FORMAT`.",
  data: "Nothing in this file is what an agent says (`instructions`, `tools`, `model` and the like), so it is left alone. If it is an agent, name its format with `--as FORMAT`.",
} as const

export const foreignProblem = (foreign: Foreign): Problem => ({
  code: "format-later",
  severity: "info",
  message: describeForeign(foreign),
  at: { type: "start" },
})
