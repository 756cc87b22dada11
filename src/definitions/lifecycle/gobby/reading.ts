import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { findUnknownKeyProblems } from "../../../ground/known-keys.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Condition } from "../../../language/expression/condition.ts"
import { readGobbyWhen } from "./conditions.ts"

export type GobbyKeyPath = PlacedProblem["path"]

/** The state of reading one file of Gobby's. */
export interface GobbyReading {
  /** The name of the file, with which the names of its hooks begin. */
  readonly of: string
  /** The names that its conditions and texts can use. */
  readonly names: readonly string[]
  /** The variables in which unsupported actions would have stored their results. */
  readonly undone: readonly string[]
  /** True if the file reads whether a call was blocked. */
  readonly asksForBlocks: boolean
  /** Reports an invalid part. Nothing starts then. */
  tell(problem: PlacedProblem): void
  /** Notes a valid part that is not supported here. `gate`: because of it, calls are refused or never judged. */
  note(problem: PlacedProblem, of?: "gate"): void
}

/** Reports unknown keys, because they may have been meant to forbid something. */
export function reportUnknownKeys(
  what: string,
  values: JsonMap,
  keys: readonly string[],
  path: GobbyKeyPath,
  { tell }: Pick<GobbyReading, "tell">,
): void {
  const say = (key: string) => `${what} has no ${JSON.stringify(key)}`
  for (const problem of findUnknownKeyProblems(Object.keys(values), keys, say, path)) tell(problem)
}

/**
 * Reads a condition. An unknown name makes a gate invalid. Anywhere else the name is null, so that the condition does not
 * hold, as in Gobby.
 */
export function readGobbyCondition(
  when: Json | undefined,
  path: GobbyKeyPath,
  of: "gate" | "other",
  { names, undone, tell, note }: GobbyReading,
): Condition | undefined {
  if (when === undefined) return undefined
  if (typeof when !== "string" && typeof when !== "boolean") {
    tell({ path, message: "a condition must be text. Leave `when` out if it should always apply." })
    return undefined
  }
  const read = readGobbyWhen(String(when), names)
  if ("problems" in read) {
    for (const problem of read.problems) tell({ path, ...problem })
    return undefined
  }
  const lacking = undone.find((name) => String(when).split(/\W+/).includes(name))
  if (lacking !== undefined && of === "gate")
    tell({
      path,
      message: `\`${lacking}\` would be set by an action that is not supported here, so this gate cannot judge anything.`,
    })
  for (const problem of read.unknown)
    if (of === "gate") tell({ path, ...problem })
    else note({ path, ...problem }, "gate")
  return read.condition
}
