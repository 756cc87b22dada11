import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { unknownKeys } from "../../../ground/known-keys.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Condition } from "../../../language/expression/condition.ts"
import { readGobbyWhen } from "./words.ts"

export type Path = PlacedProblem["path"]

/** A file of Gobby's that is being read. */
export interface GobbyReading {
  /** What it is called, and its hooks after it. */
  readonly of: string
  /** The names that its conditions and texts can use. */
  readonly names: readonly string[]
  /** Names of what would come of actions that are not done here. */
  readonly undone: readonly string[]
  /** Whether something in it asks if a call was blocked. */
  readonly asksForBlocks: boolean
  /** What cannot be understood: nothing starts. */
  tell(problem: PlacedProblem): void
  /** What is understood, and not done here. `gate`: so that something is refused, or never judged. */
  note(problem: PlacedProblem, of?: "gate"): void
}

/** A key that nobody knows may have been meant to forbid something. */
export function knowsOnly(
  what: string,
  values: JsonMap,
  keys: readonly string[],
  path: Path,
  { tell }: Pick<GobbyReading, "tell">,
): void {
  const say = (key: string) => `${what} has no ${JSON.stringify(key)}`
  for (const problem of unknownKeys(Object.keys(values), keys, say, path)) tell(problem)
}

/**
 * What a condition says. A name that is nobody's keeps a gate from being understood; anywhere else Gobby takes the condition
 * for one that does not hold, and so it is here: the name is null.
 */
export function conditionOf(
  when: Json | undefined,
  path: Path,
  of: "gate" | "other",
  { names, undone, tell, note }: GobbyReading,
): Condition | undefined {
  if (when === undefined) return undefined
  if (typeof when !== "string" && typeof when !== "boolean") {
    tell({ path, message: "a condition must be text. Leave `when` out for always." })
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
      message: `\`${lacking}\` is what would come of an action that is not done here, so this gate cannot judge anything.`,
    })
  for (const problem of read.unknown)
    if (of === "gate") tell({ path, ...problem })
    else note({ path, ...problem }, "gate")
  return read.condition
}
