import type { TextProblem } from "../../../ground/diagnostics/problem.ts"
import { parseCondition } from "../../../language/expression/condition.ts"
import type { Node } from "../../../language/expression/node.ts"

/** Functions of Gobby's conditions, each as a condition in which its arguments replace the names. */
const bodies: Readonly<Record<string, { readonly parameters: readonly string[]; readonly text: string }>> = {
  has_stop_signal: { parameters: ["session"], text: "false" },
  is_discovery_tool: {
    parameters: ["tool"],
    text: "tool in ['list_mcp_servers', 'list_tools', 'get_tool_schema', 'search_tools', 'recommend_tools', 'list_skills', 'get_skill', 'search_skills']",
  },
  is_plan_file: {
    parameters: ["file", "source"],
    text: "source == 'claude' and '/.claude/plans/' in (file or '').replace('\\\\', '/')",
  },
  is_server_listed: {
    parameters: ["input"],
    text: "(input['server_name'] or input['server'] or '') in variables['listed_servers']",
  },
  is_tool_unlocked: {
    parameters: ["input"],
    text: "str(input['server_name'] or input['server'] or '') + ':' + str(input['tool_name'] or input['tool'] or '') in variables['unlocked_tools']",
  },
  mcp_called: {
    parameters: ["server", "tool"],
    text: "(variables['mcp_calls'] or {})[server] if tool is None else tool in (variables['mcp_calls'] or {})[server]",
  },
  mcp_failed: {
    parameters: ["server", "tool"],
    text: "((variables['mcp_results'] or {})[server] or {})[tool]['success'] == false or bool(((variables['mcp_results'] or {})[server] or {})[tool]['error']) or ((variables['mcp_results'] or {})[server] or {})[tool]['status'] == 'failed'",
  },
  mcp_result_has: {
    parameters: ["server", "tool", "field", "value"],
    text: "((variables['mcp_results'] or {})[server] or {})[tool][field] == value",
  },
  mcp_result_is_null: {
    parameters: ["server", "tool"],
    text: "((variables['mcp_results'] or {})[server] or {})[tool] is None",
  },
  // Gobby's tasks cannot be looked up here: none is complete, and none waits for a review.
  task_needs_user_review: { parameters: ["task"], text: "false" },
  task_tree_complete: { parameters: ["task"], text: "not task" },
}

export const functionNames: readonly string[] = Object.keys(bodies)

/** Replaces calls of these functions by their conditions. Returns a problem if a call is wrong. */
export function inlineFunctions(node: Node): Node | { readonly problem: TextProblem } {
  let problem: TextProblem | undefined
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== "object" || part === null || isLiteral(part)) return part
    const call = callIn(part)
    if (!call) return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]))
    const { name, inputs, rest, offset } = call
    const { parameters } = bodies[name]!
    if (inputs.length > parameters.length || call.isNamed)
      problem ??= { message: `\`${name}\` takes ${parameters.join(", ")}.`, offset, length: name.length }
    const body = filledIn(name, inputs.map(walk) as readonly Node[], offset)
    return rest.length > 0 ? { type: "access", base: body, links: walk(rest), offset } : body
  }
  const result = walk(node) as Node
  return problem ? { problem } : result
}

const isLiteral = (part: object): boolean => "type" in part && part.type === "literal"

/** A call of one of these functions, with its arguments and the accesses that follow it. */
function callIn(part: object) {
  const node = part as Node
  if (node.type !== "access" || node.base.type !== "name" || !Object.hasOwn(bodies, node.base.name))
    return undefined
  const [first, ...rest] = node.links
  if (first?.type !== "call") return undefined
  const { positional, named } = first.arguments
  return {
    name: node.base.name,
    inputs: positional,
    isNamed: named.length > 0,
    rest,
    offset: node.offset,
  }
}

function filledIn(name: string, inputs: readonly Node[], offset: number): Node {
  const { parameters } = bodies[name]!
  const fill = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(fill)
    if (typeof part !== "object" || part === null) return part
    if (isLiteral(part)) return { ...part, offset }
    const { type, name: used } = part as { readonly type?: string; readonly name?: string }
    const index = type === "name" ? parameters.indexOf(used ?? "") : -1
    if (index >= 0) return inputs[index] ?? { type: "literal", value: null, offset }
    const filled = Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]))
    return "offset" in part ? { ...filled, offset } : filled
  }
  return fill(bodyOf(name)) as Node
}

const parsed = new Map<string, Node>()

function bodyOf(name: string): Node {
  const cached = parsed.get(name)
  if (cached) return cached
  const read = parseCondition(bodies[name]!.text)
  if (read.type === "invalid") throw new Error(`${name}: ${read.problem.message}`)
  parsed.set(name, read.node)
  return read.node
}
