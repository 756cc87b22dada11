import { type Stats, statSync } from "node:fs"
import type { Agent } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { Format } from "../formats/format.ts"
import { useFormatWords } from "../formats/format-words.ts"
import { diagnose, type Locate, type Problem } from "../formats/problem.ts"
import { readAgent } from "../formats/read-agent.ts"
import type { ReadOptions } from "../formats/read-options.ts"
import { type DefinitionSource, readSourceFile } from "../formats/source.ts"
import { type Detection, detectFormat, findPlugin } from "./detect.ts"
import { describeForeign, type Foreign, recogniseInFolder } from "./foreign.ts"

/** The result of reading one file. */
export interface DefinitionFile {
  readonly path: string
  readonly format: Format | undefined
  readonly agent: Agent | undefined
  readonly problems: readonly Problem[]
  readonly repaired: boolean
  readonly text: string
  readonly locate: Locate
  /** The only part that changes, because a file that was touched but not changed stays the same file. */
  stamp: Stamp | undefined
}

/** The facts that tell one state of a file from another without reading it, and the time of the check. */
interface Stamp {
  readonly size: number
  readonly modified: number
  readonly changed: number
  readonly inode: number
  readonly readAt: number
}

/** File systems count time in steps of up to two seconds. Within one step, a second change is invisible. */
const clockStep = 2_100

/** Reads a file in the given format, or in the format that its place, content and ending indicate. */
export function readDefinition(
  file: string,
  format: Format | undefined,
  options: ReadOptions,
): DefinitionFile {
  const readAt = Date.now()
  const reading = readSourceFile(file)
  if (reading.type === "refused") {
    const problem = format ? useFormatWords(format, [reading.problem], file)[0]! : reading.problem
    return makeUnreadFile(file, format, problem)
  }
  const read = readDefinitionText(reading.source, format, options)
  read.stamp = stampOf(reading.stats, readAt)
  return read
}

export function readDefinitionText(
  source: DefinitionSource,
  format: Format | undefined,
  options: ReadOptions,
): DefinitionFile {
  const { path: file, text } = source
  const detected = format ? detectIn(format, file, text, options) : detectFormat(file, text)
  if (detected.type !== "format") return { ...makeUnreadFile(file, undefined, problemOf(detected)), text }
  const plugin = detected.format.id === "claude" ? findPlugin(file) : undefined
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
    stamp: undefined,
  }
}

/** The folder decides the format of a file, unless the file clearly belongs to another tool. */
function detectIn(format: Format, file: string, text: string, { scope }: ReadOptions): Detection {
  const foreign = scope === undefined ? undefined : recogniseInFolder(format, file, text)
  return foreign ? { type: "foreign", foreign } : { type: "format", format }
}

/** True if a page without front matter describes its folder: authors put such pages beside their agents. */
const isReadme = (file: string): boolean =>
  /(^|[\\/])(?:readme|architecture|authors|changelog|contributing|code[_-]of[_-]conduct|index|licen[cs]e|notice|security|support)(?:[._-][\w-]+)?\.(md|markdown)$/i.test(
    file,
  )

const asNote = (problem: Problem): Problem =>
  problem.code === "frontmatter-missing"
    ? {
        ...problem,
        severity: "info",
        message:
          "This page has no front matter, so it is read as a description of the folder and not as an agent.",
      }
    : problem

/** Whether a file is surely unchanged since it was read, by its stamp. False if the stamp is too recent to be sure. */
export function isCurrent(read: DefinitionFile): boolean {
  const stats = statSync(read.path, { throwIfNoEntry: false })
  const { stamp } = read
  if (!stats || !stamp) return false
  return (
    stats.size === stamp.size &&
    stats.mtimeMs === stamp.modified &&
    stats.ctimeMs === stamp.changed &&
    stats.ino === stamp.inode &&
    Math.max(stamp.modified, stamp.changed) + clockStep < stamp.readAt
  )
}

export const diagnoseFile = (read: DefinitionFile, problems = read.problems): readonly Diagnostic[] =>
  diagnose(read.path, read.text, read.locate, problems)

const stampOf = (stats: Stats, readAt: number): Stamp => ({
  size: stats.size,
  modified: stats.mtimeMs,
  changed: stats.ctimeMs,
  inode: stats.ino,
  readAt,
})

/** The result for a file that could not be opened, or is in no format of cadre. */
export const makeUnreadFile = (
  file: string,
  format: Format | undefined,
  problem: Problem,
): DefinitionFile => ({
  path: file,
  format,
  agent: undefined,
  problems: [problem],
  repaired: false,
  text: "",
  locate: () => undefined,
  stamp: undefined,
})

function problemOf(detected: Exclude<Detection, { type: "format" }>): Problem {
  return detected.type === "foreign"
    ? makeForeignProblem(detected.foreign)
    : {
        code: "format-later",
        severity: "warning",
        message: unknownMessages[detected.why],
        at: { type: "start" },
      }
}

const unknownMessages = {
  ending: "No agent format uses this file ending. Name the format with `--as FORMAT`.",
  data: "This file does not look like an agent (it has no `instructions`, `prompt` or the like), so it is skipped. If it is an agent, name its format with `--as FORMAT`.",
} as const

export const makeForeignProblem = (foreign: Foreign): Problem => ({
  code: "format-later",
  severity: "info",
  message: describeForeign(foreign),
  at: { type: "start" },
})
