import type { TextProblem } from "../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { type Condition, parseCondition } from "../../language/expression/condition.ts"
import { functions } from "../../language/expression/functions.ts"
import { listInnerNodes } from "../../language/expression/inner-nodes.ts"
import { isMappingMethod } from "../../language/expression/methods.ts"
import type { Node } from "../../language/expression/node.ts"
import { explainTemplateWord } from "../../language/expression/python/refuse.ts"
import { offeredNames } from "./event-names.ts"

/** Reads a `when`. A name that no event provides is an error. A name that only this event does not provide is null. */
export function readWhen(text: string): ReadCondition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return { problems: [parsed.problem] }
  const problems = [
    ...unknown(parsed.names, ({ name, isCalled }) =>
      isCalled ? noFunction(name) : (explainTemplateWord(name) ?? noName(name)),
    ),
    ...uncalledMethods(parsed.node),
  ]
  return problems.length > 0 ? { problems } : { condition: parsed, unknown: [] }
}

/** A condition with its unknown names, which are null; or the problems of an invalid one. */
export type ReadCondition =
  | { readonly condition: Condition; readonly unknown: readonly TextProblem[] }
  | { readonly problems: readonly TextProblem[] }

/** Finds names in a template that no event provides. */
export const findUnknownNames = (uses: readonly Use[], names = offered): readonly TextProblem[] =>
  unknown(uses, ({ name }) => noName(name, names), names)

interface Use {
  readonly name: string
  readonly offset: number
  /** The name is called as a function. */
  readonly isCalled?: true
}

const offered: readonly string[] = offeredNames.map(({ name }) => name)

const unknown = (
  uses: readonly Use[],
  explain: (use: Use) => string,
  names = offered,
): readonly TextProblem[] =>
  uses
    .filter(({ name, isCalled }) => isCalled || !names.includes(name))
    .map((use) => ({ message: explain(use), offset: use.offset, length: use.name.length }))

/** Finds methods that are not called. `tool_input.items` is the method, which is always true, and not the stored value. */
function uncalledMethods(node: Node): readonly TextProblem[] {
  const links = node.type === "access" ? node.links : []
  return [
    ...links.flatMap((link, index) =>
      link.type === "attribute" && isMappingMethod(link.name) && links[index + 1]?.type !== "call"
        ? [
            {
              message: `\`.${link.name}\` is a method of every map, so this is always true. Write \`.${link.name}()\` to call it, or \`["${link.name}"]\` for the value of that name.`,
              offset: link.offset,
              length: link.name.length,
            },
          ]
        : [],
    ),
    ...listInnerNodes(node).flatMap(uncalledMethods),
  ]
}

const noName = (name: string, names = offered): string =>
  `Unknown name ${JSON.stringify(name)}. Write a variable of the run as \`variables.NAME\`. ${listKnownNames(name, names)}`

const noFunction = (name: string): string =>
  `Unknown function ${JSON.stringify(name)}${gobbys.has(name) ? ": it is Gobby's own, and needs Gobby's server" : ""}. ${listKnownNames(name, functions.keys())}`

/** Gobby's own functions for conditions. */
const gobbys: ReadonlySet<string> = new Set(
  "edit_count_since_test_run editing_non_test_file has_pending_messages has_stop_signal is_discovery_tool is_message_delivery_tool is_plan_file is_server_listed is_tool_unlocked mcp_called mcp_failed mcp_result_has mcp_result_is_null normalize_path pending_message_count regex_search task_needs_human_review task_needs_user_review task_tree_complete tests_exist".split(
    " ",
  ),
)
