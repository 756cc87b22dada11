import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { mcpName } from "../../agent/catalogue/mcp-tool.ts"
import type { Tool } from "../../agent/tool.ts"
import { meansEveryTool } from "../../agent/ways.ts"
import { matches } from "../../ground/patterns/stars.ts"
import { isNamed } from "./pattern.ts"

/** What an agent's own lists say of a tool, with the entry that says it. */
export type Grant =
  | { readonly type: "denied" | "listed"; readonly by: string }
  | { readonly type: "inherited" | "unlisted" }

export const isGrant = ({ type }: Grant): boolean => type === "listed" || type === "inherited"

export function grantReader(
  { tools: { mode, allow, deny }, toolDefinitions }: Pick<Agent, "tools" | "toolDefinitions">,
  known: ReadonlyMap<string, Tool>,
): (tool: string) => Grant {
  // A tool that the definition brings along is no other host's word for one of ours.
  const isOwn = (by: string) => toolDefinitions?.some(({ name }) => name === by)
  const meant = (by: string) => ({ by, patterns: (isOwn(by) ? undefined : meanings(by, known)) ?? [by] })
  const listed = allow.map(meant)
  // A deny with an argument takes away a use of the tool, not the tool.
  const denied = deny.filter((name) => !hasArgument(name)).map(meant)
  return (tool) => {
    const about =
      (names: readonly string[]) =>
      ({ patterns }: { patterns: readonly string[] }) =>
        patterns.some((pattern) => names.some((name) => matches(pattern, name)))
    const refusal = denied.find(({ patterns }) => patterns.some((pattern) => isNamed(pattern, tool)))
    if (refusal) return { type: "denied", by: refusal.by }
    if (mode !== "list") return { type: "inherited" }
    const { comesWith } = known.get(tool) ?? {}
    const entry =
      listed.find(about([tool])) ??
      (comesWith === undefined ? undefined : listed.find(about(basesOf(comesWith, known))))
    return entry ? { type: "listed", by: entry.by } : { type: "unlisted" }
  }
}

/**
 * Whether it has no more than its caller: a definition without a list where its format means that, and one that starts
 * from all that its caller has read.
 */
export const hasCallersTools = (agent: Agent): boolean =>
  agent.context?.fork === true || (agent.tools.mode === "inherit" && !meansEveryTool(agent.origin.format))

/**
 * The registered tools, or the pattern, that a name stands for. Another host's name means our tool of that kind; one that
 * has no equivalent here means nothing. Undefined: nobody knows it.
 */
export function meanings(text: string, known: ReadonlyMap<string, Tool>): readonly string[] | undefined {
  const { name, argument } = splitToolName(text)
  if (known.has(name)) return [name]
  const tool = lookUpTool(name)
  if (name.includes("*")) {
    // What it is an argument of nobody could say.
    if (argument !== undefined && argument !== "*") return undefined
    const pattern = tool.type === "mcp" ? mcpName(tool) : name
    return [pattern, ...namedOriginally(pattern, known)]
  }
  if (tool.type === "foreign") return []
  const equivalents =
    tool.type === "equivalent" || tool.type === "tool"
      ? [tool.name, ...(("also" in tool && tool.also) || [])]
      : tool.type === "mcp"
        ? [
            ...[...known.keys()].filter((registered) => matches(mcpName(tool), registered)),
            ...namedOriginally(mcpName(tool), known),
          ]
        : []
  const registered = equivalents.flatMap((equivalent) => registeredAs(equivalent, known))
  return registered.length > 0 ? registered : undefined
}

/** Tools that have another name here, because no provider takes their own. */
export const namedOriginally = (pattern: string, known: ReadonlyMap<string, unknown>): readonly string[] =>
  [...known].flatMap(([name, tool]) => {
    const { original } = tool as { readonly original?: string }
    return original !== undefined && matches(pattern, original) && !matches(pattern, name) ? [name] : []
  })

/** The tool that hands work on may have another host's name here. */
function registeredAs(name: string, known: ReadonlyMap<string, Tool>): readonly string[] {
  if (known.has(name)) return [name]
  return name === "Agent"
    ? [...known.values()].filter(({ kind }) => kind === "delegation").map((tool) => tool.name)
    : []
}

/** What a tool comes with: one tool, or each that a pattern fits. */
const basesOf = (comesWith: string, known: ReadonlyMap<string, Tool>): readonly string[] =>
  comesWith.includes("*")
    ? [...known.keys()].filter((name) => matches(comesWith, name))
    : registeredAs(comesWith, known)

export const hasArgument = (text: string): boolean => splitToolName(text).argument !== undefined
