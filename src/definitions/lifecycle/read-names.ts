import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { Json } from "../../ground/message.ts"
import type { LifecycleHook } from "./hook.ts"
import { type NamePattern, parseNamePattern } from "./name-pattern.ts"

type Tell = (problem: PlacedProblem) => void
type Key = "tools" | "agents"

/** Reads the tools and agents of a hook: names, names with `|` between them as in Claude Code, or patterns. `*` means all. */
export function readNames(
  written: Readonly<Record<Key, Json | undefined>>,
  tell: Tell,
): Pick<LifecycleHook, "tools" | "agents" | "patterns"> {
  const tools = namesOf("tools", written.tools, tell)
  const agents = namesOf("agents", written.agents, tell)
  const patterns = [...(tools?.patterns ?? []), ...(agents?.patterns ?? [])]
  return {
    ...(tools && { tools: tools.names }),
    ...(agents && { agents: agents.names }),
    ...(patterns.length > 0 && { patterns }),
  }
}

interface Names {
  readonly names: readonly string[]
  readonly patterns: readonly NamePattern[]
}

function namesOf(key: Key, value: Json | undefined, tell: Tell): Names | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.length === 0)
    tell({
      path: [key],
      message: `\`${key}\` is empty, so the hook would never run. Leave it out to mean all.`,
    })
  const entries: readonly Json[] = Array.isArray(value) ? value : [value]
  // A value that is not a text could become a pattern that never matches.
  for (const [index, one] of entries.entries())
    if (typeof one !== "string")
      tell({
        path: Array.isArray(value) ? [key, index] : [key],
        message: "names must be text, or a list of texts.",
      })
  const texts = entries.flatMap((one) => (typeof one === "string" ? splitNames(one, key) : []))
  if (texts.some(({ name }) => name === "*" || name === "")) return undefined
  const patterns = texts
    .filter(({ isPattern }) => isPattern)
    .flatMap(({ name }) => readNamePattern(name, (problem) => tell({ ...problem, path: [key] })) ?? [])
  const names = texts
    .map(({ name }) => name)
    .filter((name) => !isPattern(name))
    .flatMap(key === "tools" ? toolsNamed : (name) => [name])
  return { names: [...new Set([...names, ...patterns.map(({ text }) => text)])], patterns }
}

/** One name or pattern of a text that lists several. */
export interface ListedName {
  readonly name: string
  readonly offset: number
  /** True if it may match a part of a name. A plain word beside a pattern is both a name and a pattern. */
  readonly isPattern: boolean
}

/**
 * Splits a text at `|` and commas into names and patterns. Tools are also split at spaces, because the name of a tool has
 * none. Text in brackets belongs to one pattern. Both the reader and the checker of names use this function.
 */
export function splitNames(text: string, key: Key): readonly ListedName[] {
  const parts = partsOf(text, key === "tools" ? /[|,\s]/ : /[|,]/)
  const names = parts
    .map(({ start, end }) => {
      const part = text.slice(start, end)
      return { name: part.trim(), offset: start + part.length - part.trimStart().length }
    })
    // An empty part between spaces means nothing. Between commas, a name may be missing.
    .filter(({ name }, index) => name !== "" || !parts[index]!.isSpaced)
  const isMixed = names.some(({ name }) => isPattern(name))
  return names.map((one) => ({ ...one, isPattern: isMixed && one.name !== "*" && one.name !== "" }))
}

interface TextPart {
  readonly start: number
  readonly end: number
  /** True if a space separates the part on at least one side. */
  readonly isSpaced: boolean
}

function partsOf(text: string, separator: RegExp): readonly TextPart[] {
  const parts: TextPart[] = []
  let start = 0
  let depth = 0
  const endAt = (end: number) => {
    const isSpaced = [text[start - 1], text[end]].some((one) => one !== undefined && /\s/.test(one))
    parts.push({ start, end, isSpaced: isSpaced && text.trim() !== "" })
    start = end + 1
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === "\\") at++
    else if ("([{".includes(character)) depth++
    else if (")]}".includes(character)) depth = Math.max(0, depth - 1)
    else if (depth === 0 && separator.test(character)) endAt(at)
  }
  endAt(text.length)
  return parts
}

/** True if a text has characters that names do not have. Names of agents may contain spaces. */
export const isPattern = (text: string): boolean => text !== "*" && !/^[\p{L}\p{N}_:@/ -]*$/u.test(text)

/** Parses a pattern. Reports an invalid one and returns undefined. */
export function readNamePattern(text: string, tell: Tell): NamePattern | undefined {
  const parsed = parseNamePattern(text)
  if ("pattern" in parsed) return parsed.pattern
  tell({
    path: [],
    message: `${JSON.stringify(text)} is neither a name nor a valid pattern: ${parsed.problem}.`,
    offset: parsed.offset,
  })
  return undefined
}

function toolsNamed(name: string): readonly string[] {
  const knownTool = lookUpTool(name)
  return knownTool.type === "equivalent" ? [knownTool.name, ...(knownTool.also ?? [])] : [name]
}
