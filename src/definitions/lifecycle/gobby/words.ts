import { knownNames } from "../../../ground/errors.ts"
import { type Condition, parseCondition } from "../../../language/expression/condition.ts"
import { functions } from "../../../language/expression/functions.ts"
import { referencesIn } from "../../../language/expression/names.ts"
import type { Node } from "../../../language/expression/node.ts"
import { offeredNames } from "../event-names.ts"
import type { ReadCondition } from "../when.ts"
import { functionNames, writtenOut } from "./functions.ts"
import { unknownKeys, withPlainTypes } from "./records.ts"

/** The names that conditions and texts of Gobby's find, with those of its variables: these need no `variables.` there. */
export const gobbyNames = (variables: Iterable<string>): readonly string[] => [
  ...new Set([...offeredNames.map(({ name }) => name), ...ownNames, ...variables]),
]

/** What Gobby's files find besides; `offered.ts` says what each of them is. */
const ownNames: readonly string[] = [
  ...["event_data", "handoff", "plan_mode", "project", "session", "session_id", "source", "state"],
  ...["task_claimed", "task_has_commits", "tool_args", "workflow_state"],
]

/** What a condition of Gobby's says. A name that is nobody's is null, unless a variable is called so. */
export function readGobbyWhen(text: string, names: readonly string[]): ReadCondition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return { problems: [parsed.problem] }
  const written = writtenOut(parsed.node)
  if ("problem" in written) return { problems: [written.problem] }
  const node = withPlainTypes(written)
  const references = referencesIn(node).filter(({ name }) => !functions.has(name))
  return {
    condition: { ...parsed, node, names: references },
    unknown: [
      ...references
        .filter(({ name }) => !names.includes(name))
        .map(({ name, offset }) => ({
          message: `There is no ${JSON.stringify(name)} here, and no variable that the file declares is called so. ${knownNames(name, [...names, ...functionNames])}`,
          offset,
          length: name.length,
        })),
      ...unknownKeys(node),
    ],
  }
}

/** Both must hold. */
export function both(one: Condition | undefined, other: Condition | undefined): Condition | undefined {
  if (!one || !other) return one ?? other
  const node: Node = { type: "logic", operator: "and", operands: [one.node, other.node], offset: 0 }
  return {
    type: "condition",
    text: `(${one.text}) and (${other.text})`,
    node,
    names: [...one.names, ...other.names],
  }
}
