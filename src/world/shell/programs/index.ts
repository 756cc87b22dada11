import type { Program } from "../scene.ts"
import { builtins } from "./builtins.ts"
import { dangerousPrograms } from "./dangerous.ts"
import { find } from "./find.ts"
import { git } from "./git.ts"
import { interpreters } from "./interpreters.ts"
import { known } from "./known.ts"
import { ownGrammar } from "./own-grammar.ts"
import { packagePrograms, withVerbs } from "./packages.ts"
import { zipped } from "./packing.ts"
import { runners } from "./runners.ts"
import { wrappers } from "./wrappers.ts"
import { zip } from "./zip.ts"

/** Those of which more is known than their name. */
const programs: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ...interpreters,
    ...runners,
    ...packagePrograms,
    ...withVerbs,
    ...known,
    ...ownGrammar,
    ...wrappers,
    ...dangerousPrograms,
    ...builtins,
    find,
    git,
    zip: zip(zipped),
  }),
)

/** Of one with a number behind its name, such as `python3.11`, what is known of the one without. */
export function programOf(name: string): Program | undefined {
  const base = name.slice(name.lastIndexOf("/") + 1)
  const bare = base.replace(/-?[0-9.]+$/, "")
  return programs.get(base) ?? (bare in known ? undefined : programs.get(bare))
}
