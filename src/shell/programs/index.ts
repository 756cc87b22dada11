import type { Program } from "../scene.ts"
import { builtins } from "./builtins.ts"
import { dangerousPrograms } from "./dangerous.ts"
import { files } from "./files.ts"
import { find } from "./find.ts"
import { git } from "./git.ts"
import { interpreters } from "./interpreters.ts"
import { network } from "./network.ts"
import { runners } from "./runners.ts"
import { textPrograms } from "./text.ts"
import { unpackers } from "./unpack.ts"
import { wrappers } from "./wrappers.ts"

/** Those of which more is known than their name. */
const programs: ReadonlyMap<string, Program> = new Map(
  Object.entries({
    ...files,
    ...textPrograms,
    ...network,
    ...interpreters,
    ...runners,
    ...unpackers,
    ...wrappers,
    ...dangerousPrograms,
    ...builtins,
    find,
    git,
  }),
)

export function programOf(name: string): Program | undefined {
  const base = name.slice(name.lastIndexOf("/") + 1)
  return programs.get(base) ?? programs.get(base.replace(/-?[0-9.]+$/, ""))
}
