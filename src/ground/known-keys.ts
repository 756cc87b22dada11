import type { PlacedProblem } from "./diagnostics/problem.ts"
import { listKnownNames } from "./errors.ts"

/**
 * A problem for each unknown key of a written map. `say` names the key and what it is not a key of, without a
 * full stop. The known keys follow.
 */
export const findUnknownKeyProblems = (
  keys: readonly string[],
  knownKeys: readonly string[],
  say: (key: string) => string,
  path: PlacedProblem["path"] = [],
): readonly (PlacedProblem & { readonly about: "key" })[] =>
  keys
    .filter((key) => !knownKeys.includes(key))
    .map((key) => ({
      path: [...path, key],
      about: "key",
      message: `${say(key)}. ${listKnownNames(key, knownKeys)}`,
    }))
