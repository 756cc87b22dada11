import { listKnownNames } from "../../../ground/errors.ts"
import { type Condition, parseCondition } from "../../../language/expression/condition.ts"
import { functions } from "../../../language/expression/functions.ts"
import { listReferences } from "../../../language/expression/names.ts"
import type { Node } from "../../../language/expression/node.ts"
import { offeredNames } from "../event-names.ts"
import type { ReadCondition } from "../when.ts"
import { functionNames, inlineFunctions } from "./functions.ts"
import { findUnknownRecordKeys, withPlainTypes } from "./records.ts"

/** The names in conditions and texts of Gobby's files. A variable is written `count`, without `variables.` before it. */
export const listGobbyNames = (variables: Iterable<string>): readonly string[] => [
  ...new Set([...offeredNames.map(({ name }) => name), ...ownNames, ...variables]),
]

/** Names that only Gobby's files can use. `gobby-names.ts` gives them values. */
const ownNames: readonly string[] = [
  ...["event_data", "handoff", "plan_mode", "project", "session", "session_id", "source", "state"],
  ...["task_claimed", "task_has_commits", "tool_args", "workflow_state"],
]

/** Reads a condition in a Gobby file. An unknown name counts as null in the condition, and is also listed in `unknown`. */
export function readGobbyWhen(text: string, names: readonly string[]): ReadCondition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return { problems: [parsed.problem] }
  const inlined = inlineFunctions(parsed.node)
  if ("problem" in inlined) return { problems: [inlined.problem] }
  const node = withPlainTypes(inlined)
  const references = listReferences(node).filter(({ name }) => !functions.has(name))
  return {
    condition: { ...parsed, node, names: references },
    unknown: [
      ...references
        .filter(({ name }) => !names.includes(name))
        .map(({ name, offset }) => ({
          message: `Unknown name ${JSON.stringify(name)}: it is not available here, and the file declares no such variable. ${listKnownNames(name, [...names, ...functionNames])}`,
          offset,
          length: name.length,
        })),
      ...findUnknownRecordKeys(node),
    ],
  }
}

/** Joins two conditions with `and`. A missing condition always holds. */
export function joinConditions(
  one: Condition | undefined,
  other: Condition | undefined,
): Condition | undefined {
  if (!one || !other) return one ?? other
  const node: Node = { type: "logic", operator: "and", operands: [one.node, other.node], offset: 0 }
  return {
    type: "condition",
    text: `(${one.text}) and (${other.text})`,
    node,
    names: [...one.names, ...other.names],
  }
}
