import type { CodeDefinition } from "./definitions.ts"
import type { GrammarLanguage } from "./languages.ts"

/** The names of one definition, from the outermost to its own. */
export function nameParts(
  { kind, name, owner }: Pick<CodeDefinition, "kind" | "name" | "owner">,
  { separator }: Pick<GrammarLanguage, "separator">,
): readonly string[] {
  const owners = owner === undefined ? [] : [plainType(owner)]
  if (separator === undefined) return [...owners, plainName(name)]
  const parts = splitPath(name)
  if (kind === "owner") return [plainType(parts.at(-1)!)]
  return [...owners, ...parts.slice(0, -1).map(plainType), operatorName(plainName(parts.at(-1)!))]
}

/** Quoted keys of objects and computed ones are known by their text. */
function plainName(name: string): string {
  const bare = name.replaceAll(/\s+/g, " ").trim()
  const quoted = /^\[?(["'`])(.*)\1\]?$/s.exec(bare)
  return (quoted && quoted[2] !== "" ? quoted[2] : bare) ?? bare
}

/** `&'a mut Box<T>` is known as `Box`. */
function plainType(type: string): string {
  const bare = type
    .replaceAll(/\s+/g, " ")
    .replace(/^(?:[&*]|'\w+ |(?:mut|dyn|const) | )+/, "")
    .trim()
  return bare.replace(/^([^<([]+)<.*$/s, "$1").trim() || bare
}

/** `operator bool() const` is known as `operator bool`. */
const operatorName = (name: string): string => name.replace(/^(operator \w[^(]*?) ?\(.*$/s, "$1")

/** Splits at `::` outside of brackets. */
function splitPath(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!
    if ("<([".includes(character)) depth++
    else if (">)]".includes(character)) depth--
    else if (depth === 0 && text.startsWith("::", index)) {
      if (index > start) parts.push(text.slice(start, index))
      start = index + 2
      index++
    } else if (depth === 0 && text.startsWith("operator", index) && !/\w/.test(text[index - 1] ?? "")) break
  }
  return [...parts, text.slice(start)]
}
