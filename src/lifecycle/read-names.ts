import { lookUpTool } from "../catalogue/look-up.ts"
import type { Json } from "../message.ts"
import type { HookProblem, LifecycleHook } from "./hook.ts"
import { type NamePattern, parsePattern } from "./name-pattern.ts"

type Tell = (problem: HookProblem) => void
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
  const texts = written.flatMap((one) => (typeof one === "string" ? split(one) : []))
  if (texts.some((text) => text === "*" || text === "")) return undefined
  const patterns = texts
    .filter(isPattern)
    .flatMap((text) => readPattern(text, (problem) => tell({ ...problem, path: [key] })) ?? [])
  const names = texts
    .filter((text) => !isPattern(text))
    .flatMap(key === "tools" ? toolsNamed : (name) => [name])
  return { names: [...names, ...patterns.map(({ text }) => text)], patterns }
}

/** A list of names has nothing in it that a pattern needs. */
const split = (text: string): readonly string[] =>
  isPattern(text.replace(/[|,\s]/g, "")) ? [text.trim()] : text.split(/[|,]/).map((name) => name.trim())

export const isPattern = (text: string): boolean => text !== "*" && !/^[\p{L}\p{N}_:@/-]*$/u.test(text)

/** What a person wrote as a pattern; undefined, and told, where it cannot be followed. */
export function readPattern(text: string, tell: Tell): NamePattern | undefined {
  const parsed = parsePattern(text)
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
