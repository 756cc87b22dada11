import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import type { Json } from "../../ground/message.ts"
import type { LifecycleHook } from "./hook.ts"
import { type NamePattern, parseNamePattern } from "./name-pattern.ts"

type Tell = (problem: PlacedProblem) => void
type Key = "tools" | "agents"

/** Whom a hook is for: names, or Claude's way to write them, with `|` between them, or patterns. `*` is everybody. */
export function readNames(
  given: Readonly<Record<Key, Json | undefined>>,
  tell: Tell,
): Pick<LifecycleHook, "tools" | "agents" | "patterns"> {
  const tools = namesOf("tools", given.tools, tell)
  const agents = namesOf("agents", given.agents, tell)
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

function namesOf(key: Key, given: Json | undefined, tell: Tell): Names | undefined {
  if (given === undefined || given === null) return undefined
  if (Array.isArray(given) && given.length === 0)
    tell({
      path: [key],
      message: `these \`${key}\` are nobody's, so it would never be asked. Leave them out for all.`,
    })
  const written: readonly Json[] = Array.isArray(given) ? given : [given]
  // What is no name might be taken for a pattern that is nobody's.
  for (const [index, one] of written.entries())
    if (typeof one !== "string")
      tell({
        path: Array.isArray(given) ? [key, index] : [key],
        message: "names must be text, or a list of texts.",
      })
  const texts = written.flatMap((one) => (typeof one === "string" ? splitNames(one, key) : []))
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

/** One name or pattern of those that a text lists. */
export interface ListedName {
  readonly name: string
  readonly offset: number
  /** It is looked for anywhere in a name. A plain word beside a pattern is both: a name, and found in others. */
  readonly isPattern: boolean
}

/**
 * The names and patterns of a text, which has `|` or commas between them; tools also spaces, since the name of a tool has
 * none. What stands in brackets belongs to one pattern. Whoever reads names and whoever checks them goes by this.
 */
export function splitNames(text: string, key: Key): readonly ListedName[] {
  const parts = partsOf(text, key === "tools" ? /[|,\s]/ : /[|,]/)
  const names = parts
    .map(({ start, end }) => {
      const written = text.slice(start, end)
      return { name: written.trim(), offset: start + written.length - written.trimStart().length }
    })
    // Between two spaces nothing is left out; between two commas somebody may be.
    .filter(({ name }, index) => name !== "" || !parts[index]!.isSpaced)
  const isMixed = names.some(({ name }) => isPattern(name))
  return names.map((one) => ({ ...one, isPattern: isMixed && one.name !== "*" && one.name !== "" }))
}

interface TextPart {
  readonly start: number
  readonly end: number
  /** There is nothing but a space on one side of it. */
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

/** The name of an agent may have spaces in it, and that of a tool is never split into such. */
export const isPattern = (text: string): boolean => text !== "*" && !/^[\p{L}\p{N}_:@/ -]*$/u.test(text)

/** What a person wrote as a pattern; undefined, and told, where it cannot be followed. */
export function readNamePattern(text: string, tell: Tell): NamePattern | undefined {
  const parsed = parseNamePattern(text)
  if ("pattern" in parsed) return parsed.pattern
  tell({
    path: [],
    message: `${JSON.stringify(text)} is no name and no pattern that can be followed: ${parsed.problem}.`,
    offset: parsed.offset,
  })
  return undefined
}

function toolsNamed(name: string): readonly string[] {
  const known = lookUpTool(name)
  return known.type === "equivalent" ? [known.name, ...(known.also ?? [])] : [name]
}
