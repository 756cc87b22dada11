import type { Place } from "../formats/problem.ts"
import { at, type CheckedAgent } from "./rule.ts"

/** Where one entry of a list stands, whether it is written as a list or as one text with commas. */
export function entryPlace(
  checked: CheckedAgent,
  part: string,
  entries: readonly string[],
  index: number,
): Place {
  const list = at(checked, part)
  const text = entries[index]!
  if (list.type !== "value" || text === "") return list
  const before = entries.slice(0, index).reduce((sum, entry) => sum + entry.split(text).length - 1, 0)
  return { type: "inside", path: list.path, text, occurrence: before }
}
