import { isRunId, rootOf } from "../../../run/log/id.ts"
import { namesIn } from "../../../world/stores/jsonl/names-in.ts"
import type { Surroundings } from "../command.ts"
import { UsageError } from "../usage-error.ts"
import { runsFolder } from "./runs-folder.ts"

/** Every root there is, the newest first. */
export const rootsIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => isRunId(name) && rootOf(name) === name)
    .sort()
    .reverse()

/** The run that a word on the command line means: its id, the beginning of one, or `last`. */
export function findRun(word: string, surroundings: Pick<Surroundings, "environment">): string {
  const [start = "", ...below] = word.split(".")
  if (isRunId(word) || !/^(?:last|[0-9a-hjkmnp-tv-z]{4,25})$/.test(start)) return word
  const roots = rootsIn(runsFolder(surroundings))
  const found = start === "last" ? roots.slice(0, 1) : roots.filter((root) => root.startsWith(start))
  if (found.length > 1)
    throw new UsageError(
      `${JSON.stringify(start)} is the beginning of ${found.length} ids: ${found.slice(0, 3).join(", ")}${found.length > 3 ? " and more" : ""}. Write more of it.`,
    )
  if (start === "last" && found.length === 0) throw new UsageError("There is no run yet.")
  return found.length === 0 ? word : [found[0], ...below].join(".")
}
