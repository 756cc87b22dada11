import type { ProgramJudge } from "../scene.ts"
import { builtins } from "./builtins.ts"
import { dangerousPrograms } from "./dangerous.ts"
import { find } from "./find.ts"
import { judgeGit } from "./git.ts"
import { interpreters } from "./interpreters.ts"
import { programsWithTable } from "./known.ts"
import { ownGrammar } from "./own-grammar.ts"
import { packagePrograms, verbPrograms } from "./packages.ts"
import { judgeZip } from "./packing.ts"
import { runners } from "./runners.ts"
import { wrappers } from "./wrappers.ts"
import { zip } from "./zip.ts"

/** Programs of which more is known than their name. */
const programs: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries({
    ...interpreters,
    ...runners,
    ...packagePrograms,
    ...verbPrograms,
    ...programsWithTable,
    ...ownGrammar,
    ...wrappers,
    ...dangerousPrograms,
    ...builtins,
    find,
    git: judgeGit,
    zip: zip(judgeZip),
  }),
)

/**
 * Finds a program by its name. `python3.11` falls back to `python`, but never to a program that has a table.
 */
export function findProgramJudge(name: string): ProgramJudge | undefined {
  const base = name.slice(name.lastIndexOf("/") + 1)
  const bare = base.replace(/-?[0-9.]+$/, "")
  return programs.get(base) ?? (bare in programsWithTable ? undefined : programs.get(bare))
}
