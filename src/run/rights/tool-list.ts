import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { writeMcpName } from "../../agent/catalogue/mcp-tool.ts"
import { meansEveryTool } from "../../agent/format-traits.ts"
import { hasServer } from "../../agent/server-choice.ts"
import type { Tool } from "../../agent/tool.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import { coversTool } from "./pattern.ts"

/** The result of an agent's own lists for a tool, with the entry that decided. */
export type ListVerdict =
  | { readonly type: "denied" | "listed"; readonly by: string }
  | { readonly type: "inherited" | "unlisted" }

export const isGranting = ({ type }: ListVerdict): boolean => type === "listed" || type === "inherited"

export function createGrantReader(
  agent: Pick<Agent, "tools" | "toolDefinitions" | "mcpServers"> & { readonly origin?: Agent["origin"] },
  registeredTools: ReadonlyMap<string, Tool>,
): (tool: string) => ListVerdict {
  const {
    tools: { mode, allow, deny },
    toolDefinitions,
  } = agent
  // A tool that the definition brings along is not another host's name for one of ours.
  const isInDefinition = (by: string) => toolDefinitions?.some(({ name }) => name === by)
  const readEntry = (by: string) => ({
    by,
    patterns: (isInDefinition(by) ? undefined : resolveToolName(by, registeredTools)) ?? [by],
  })
  const allowed = allow.map(readEntry)
  // A denial with an argument takes away one use of the tool, not the tool.
  const denied = deny.filter((name) => !hasArgument(name)).map(readEntry)
  return (tool) => {
    const about =
      (names: readonly string[]) =>
      ({ patterns }: { patterns: readonly string[] }) =>
        patterns.some((pattern) => names.some((name) => matchesStars(pattern, name)))
    const refusal = denied.find(({ patterns }) => patterns.some((pattern) => coversTool(pattern, tool)))
    if (refusal) return { type: "denied", by: refusal.by }
    const registered = registeredTools.get(tool)
    if (registered?.server && !hasServer(agent, registered.server)) return { type: "unlisted" }
    if (isScriptTool(registered) && !isInDefinition(tool)) return { type: "unlisted" }
    if (mode !== "list") return { type: "inherited" }
    const { comesWith } = registered ?? {}
    const entry =
      allowed.find(about([tool])) ??
      (comesWith === undefined ? undefined : allowed.find(about(basesOf(comesWith, registeredTools))))
    return entry ? { type: "listed", by: entry.by } : { type: "unlisted" }
  }
}

/** True if the tool runs scripts of definitions: each belongs to the definition that names it, and is never handed on. */
export const isScriptTool = (tool: Tool | undefined): boolean =>
  tool?.kind === "function" && tool.ofDefinition !== undefined

/**
 * True if the agent may not have more than its caller. That applies to a definition without a list in a
 * format with this meaning, and to one that starts from its caller's history.
 */
export const hasCallersTools = (agent: Agent): boolean =>
  agent.context?.fork === true || (agent.tools.mode === "inherit" && !meansEveryTool(agent.origin.format))

/**
 * The registered tools, or the pattern, that a name stands for. Another host's name stands for our tool of
 * that kind; without an equivalent it stands for nothing. Undefined: the name is unknown.
 */
export function resolveToolName(
  text: string,
  registeredTools: ReadonlyMap<string, Tool>,
): readonly string[] | undefined {
  const { name, argument } = splitToolName(text)
  // Definitions may bring different servers of one name.
  if (registeredTools.get(name)?.server) return [name, ...findByOriginalName(name, registeredTools)]
  if (registeredTools.has(name)) return [name]
  const tool = lookUpTool(name)
  if (name.includes("*")) {
    // An argument of a pattern has no clear meaning.
    if (argument !== undefined && argument !== "*") return undefined
    const pattern = tool.type === "mcp" ? writeMcpName(tool) : name
    return [pattern, ...findByOriginalName(pattern, registeredTools)]
  }
  if (tool.type === "foreign") return []
  const equivalents =
    tool.type === "equivalent" || tool.type === "tool"
      ? [tool.name, ...(("also" in tool && tool.also) || [])]
      : tool.type === "mcp"
        ? [
            ...[...registeredTools.keys()].filter((name) => matchesStars(writeMcpName(tool), name)),
            ...findByOriginalName(writeMcpName(tool), registeredTools),
          ]
        : []
  const registered = equivalents.flatMap((equivalent) => registeredAs(equivalent, registeredTools))
  return registered.length > 0 ? registered : undefined
}

/** Registered tools that have another name here, because no provider accepts their own. */
export const findByOriginalName = (
  pattern: string,
  registeredTools: ReadonlyMap<string, unknown>,
): readonly string[] =>
  [...registeredTools].flatMap(([name, tool]) => {
    const { original } = tool as { readonly original?: string }
    return original !== undefined && matchesStars(pattern, original) && !matchesStars(pattern, name)
      ? [name]
      : []
  })

/** The tool that hands work on may be registered under another host's name. */
function registeredAs(name: string, registeredTools: ReadonlyMap<string, Tool>): readonly string[] {
  if (registeredTools.has(name)) return [name]
  return name === "Agent"
    ? [...registeredTools.values()].filter(({ kind }) => kind === "delegation").map((tool) => tool.name)
    : []
}

/** The tools that a tool comes with: one name, or all that match a pattern. */
const basesOf = (comesWith: string, registeredTools: ReadonlyMap<string, Tool>): readonly string[] =>
  comesWith.includes("*")
    ? [...registeredTools.keys()].filter((name) => matchesStars(comesWith, name))
    : registeredAs(comesWith, registeredTools)

export const hasArgument = (text: string): boolean => splitToolName(text).argument !== undefined
