import type { Agent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { hash } from "../../ground/crypto.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { ToolDescription } from "../rights/callable.ts"
import { resolveToolName } from "../rights/tool-list.ts"
import { countToolTokens } from "./tool-tokens.ts"

/** The most tools of sources, such as MCP servers, whose descriptions a model gets at once. */
const defaultMaxOfferedTools = 100

/** The part of the model's window that these descriptions may take. */
const windowPart = 0.1

/**
 * Returns the granted tools that a model has to search for. Tools of sources are deferred where they are too many, or take
 * too much of its window. Tools that the agent lists by name are always offered. Empty without a tool that searches.
 */
export function findDeferred(
  { tools: { allow } }: Agent,
  granted: readonly string[],
  tools: ReadonlyMap<string, Tool>,
  {
    maxOfferedTools = defaultMaxOfferedTools,
    window,
  }: Pick<RunLimits, "maxOfferedTools"> & { window?: number },
): readonly string[] {
  const ofSources = granted.filter((name) => tools.get(name)!.listed !== undefined)
  if (ofSources.length === 0 || !granted.some((name) => isSearch(tools.get(name)))) return none
  const tokens = ofSources.reduce((sum, name) => sum + countToolTokens(tools.get(name)!), 0)
  if (ofSources.length <= maxOfferedTools && !(window !== undefined && tokens > window * windowPart))
    return none
  const listed = new Set(allow.flatMap((entry) => resolveToolName(entry, tools) ?? []))
  return ofSources.filter((name) => !listed.has(name))
}

const none: readonly string[] = []

/** True for the tool that searches the deferred tools: without any, it is not offered. */
export const isSearch = (tool: Tool | undefined): boolean =>
  tool?.kind === "control" && tool.needsDeferred === true

/** The description of the tool that searches, with the names of the tools that it can find. */
export function describeSearch({ description }: Tool, deferred: readonly string[]): ToolDescription {
  let names = ""
  let shown = 0
  for (const name of deferred) {
    if (names.length + name.length > longestNames) break
    names += `${shown++ === 0 ? "" : ", "}${name}`
  }
  const more = shown < deferred.length ? ` and ${deferred.length - shown} more` : ""
  const text = `${description}\nThe tools that it can load: ${names}${more}.`
  return { text, hash: hash("sha256", text, "base64url") }
}

const longestNames = 8_000
