import { CadreError, knownNames, nearestName } from "./errors.ts"

/**
 * Every option that a function knows: the type checker holds it to the interface of its options. `internal`: accepted,
 * but neither listed nor suggested, because only cadre's own parts set it.
 */
export type KnownOptions<Options> = { readonly [Name in keyof Required<Options>]: Known }

type Known = "known" | "internal"

/** Throws OPTION_INVALID where there is an option that nobody reads: JavaScript itself says nothing of it. */
export function requireKnownOptions(
  owner: string,
  options: unknown,
  known: Readonly<Record<string, Known>>,
): void {
  const listed = Object.keys(known).filter((name) => known[name] === "known")
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new CadreError(
      "OPTION_INVALID",
      `${owner}: its options are an object, such as { ${listed[0]}: … }, but they are ${shown(options)}.`,
    )
  const unknown = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(known, name))
    .map(([name]) => name)
  if (unknown.length === 0) return
  const problems = unknown.map((name) => `there is no option ${JSON.stringify(name)}. ${meant(name, listed)}`)
  throw new CadreError("OPTION_INVALID", `${owner}: ${problems.join(" And ")}`)
}

/** The names that there are, with the one that must have been meant first. */
function meant(wrong: string, names: readonly string[]): string {
  const kin =
    nearestName(wrong.toLowerCase(), names) === undefined ? nameWithItsWords(wrong, names) : undefined
  return `${kin === undefined ? "" : `Did you mean ${JSON.stringify(kin)}? `}${knownNames(wrong, names)}`
}

/** `maxSubagentDepth` says `maxDepth` in more words, `url` says `baseUrl` in fewer. */
function nameWithItsWords(wrong: string, names: readonly string[]): string | undefined {
  const said = wordsOf(wrong)
  return names
    .map((name) => ({ name, words: wordsOf(name) }))
    .filter(({ words }) => isWithin(words, said) || isWithin(said, words))
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

const shown = (value: unknown): string => (Array.isArray(value) ? "a list" : cut(String(value)))

const cut = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
