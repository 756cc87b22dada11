import type { TextProblem } from "../../ground/diagnostics/problem.ts"
import { knownNames } from "../../ground/errors.ts"
import { type Condition, parseCondition } from "../../language/expression/condition.ts"
import { functions } from "../../language/expression/functions.ts"
import { innerNodes } from "../../language/expression/inner-nodes.ts"
import { isMappingMethod } from "../../language/expression/methods.ts"
import type { Node } from "../../language/expression/node.ts"
import { wordOfTemplates } from "../../language/expression/python/refuse.ts"
import { offeredNames } from "./event-names.ts"

/** Reads what stands behind `when`. A name that no event offers is a mistake; one that this event does not is null. */
export function readWhen(text: string): ReadCondition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return { problems: [parsed.problem] }
  const problems = [
    ...unknown(parsed.names, ({ name, isCalled }) =>
      isCalled ? noFunction(name) : (wordOfTemplates(name) ?? noName(name)),
    ),
    ...uncalledMethods(parsed.node),
  ]
  return problems.length > 0 ? { problems } : { condition: parsed, unknown: [] }
}

/** A condition, with names in it that are nobody's and null; or why it is none. */
export type ReadCondition =
  | { readonly condition: Condition; readonly unknown: readonly TextProblem[] }
  | { readonly problems: readonly TextProblem[] }

/** The names in a template that nothing offers. */
export const unknownNames = (uses: readonly Use[], names = known): readonly TextProblem[] =>
  unknown(uses, ({ name }) => noName(name, names), names)

interface Use {
  readonly name: string
  readonly offset: number
  /** As a function. */
  readonly isCalled?: true
}

const known: readonly string[] = offeredNames.map(({ name }) => name)

const unknown = (
  uses: readonly Use[],
  explain: (use: Use) => string,
  names = known,
): readonly TextProblem[] =>
  uses
    .filter(({ name, isCalled }) => isCalled || !names.includes(name))
    .map((use) => ({ message: explain(use), offset: use.offset, length: use.name.length }))

/** `tool_input.items` is the method, which always holds, and not what is stored under the name. */
function uncalledMethods(node: Node): readonly TextProblem[] {
  const links = node.type === "access" ? node.links : []
  return [
    ...links.flatMap((link, index) =>
      link.type === "attribute" && isMappingMethod(link.name) && links[index + 1]?.type !== "call"
        ? [
            {
              message: `\`.${link.name}\` is a method of every map, so this always holds. Write \`.${link.name}()\` to call it, or \`["${link.name}"]\` for what is stored under that name.`,
              offset: link.offset,
              length: link.name.length,
            },
          ]
        : [],
    ),
    ...innerNodes(node).flatMap(uncalledMethods),
  ]
}

const noName = (name: string, names = known): string =>
  `There is no ${JSON.stringify(name)} here; the variables of a run stand behind \`variables.\`. ${knownNames(name, names)}`

const noFunction = (name: string): string =>
  `There is no function ${JSON.stringify(name)} here${gobbys.has(name) ? ": it is Gobby's own, and asks what only Gobby's server knows" : ""}. ${knownNames(name, functions.keys())}`

/** What Gobby offers its conditions besides Python's functions. */
const gobbys: ReadonlySet<string> = new Set(
  "edit_count_since_test_run editing_non_test_file has_pending_messages has_stop_signal is_discovery_tool is_message_delivery_tool is_plan_file is_server_listed is_tool_unlocked mcp_called mcp_failed mcp_result_has mcp_result_is_null normalize_path pending_message_count regex_search task_needs_human_review task_needs_user_review task_tree_complete tests_exist".split(
    " ",
  ),
)
