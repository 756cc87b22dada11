import type { PlacedProblem } from "./diagnostics/problem.ts"
import { knownNames } from "./errors.ts"

/**
 * A problem for each key that nobody reads, in a map that somebody wrote. `say` tells of which key that is and of what it
 * is none, without a full stop; the keys that there are follow.
 */
export const unknownKeys = (
  keys: readonly string[],
  known: readonly string[],
  say: (key: string) => string,
  path: PlacedProblem["path"] = [],
): readonly (PlacedProblem & { readonly about: "key" })[] =>
  keys
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: [...path, key],
      about: "key",
      message: `${say(key)}. ${knownNames(key, known)}`,
    }))
