import { CadreError, findNearestName, listKnownNames } from "./errors.ts"

/**
 * Every option of a function; the type checker compares it with the interface of the options. `internal`:
 * accepted, but neither listed nor suggested, because only cadre's own parts set it.
 */
export type KnownOptions<Options> = { readonly [Name in keyof Required<Options>]: Known }

type Known = "known" | "internal"

/** Throws OPTION_INVALID for an unknown option, which JavaScript would silently ignore. */
export function requireKnownOptions(
  owner: string,
  options: unknown,
  knownOptions: Readonly<Record<string, Known>>,
): void {
  const listed = Object.keys(knownOptions).filter((name) => knownOptions[name] === "known")
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CadreError(
      "OPTION_INVALID",
      `${owner}: its options must be an object, such as { ${listed[0]}: … }, but they are ${printValue(options)}.`,
    )
  const unknown = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(knownOptions, name))
    .map(([name]) => name)
  if (unknown.length === 0) return
  const problems = unknown.map(
    (name) => `there is no option ${JSON.stringify(name)}. ${suggestNames(name, listed)}`,
  )
  throw new CadreError("OPTION_INVALID", `${owner}: ${problems.join(" And ")}`)
}

/** The known names, with the most likely one first. */
function suggestNames(wrong: string, names: readonly string[]): string {
  const kin =
    findNearestName(wrong.toLowerCase(), names) === undefined ? nameWithItsWords(wrong, names) : undefined
  return `${kin === undefined ? "" : `Did you mean ${JSON.stringify(kin)}? `}${listKnownNames(wrong, names)}`
}

/** `maxSubagentDepth` has the words of `maxDepth` and more, `url` has fewer than `baseUrl`. */
function nameWithItsWords(wrong: string, names: readonly string[]): string | undefined {
  const writtenWords = wordsOf(wrong)
  return names
    .map((name) => ({ name, words: wordsOf(name) }))
    .filter(({ words }) => isWithin(words, writtenWords) || isWithin(writtenWords, words))
    .sort((one, other) => other.words.length - one.words.length)[0]?.name
}

const isWithin = (words: readonly string[], others: readonly string[]): boolean =>
  words.every((word) => others.includes(word))

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")

const printValue = (value: unknown): string => (Array.isArray(value) ? "a list" : cut(String(value)))

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
