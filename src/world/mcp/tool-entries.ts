import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { writeMcpName } from "../../agent/catalogue/mcp-tool.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import { everyToolEntry } from "../../run/rights/requested-tools.ts"
import type { ServerToolName } from "./tool-names.ts"

/** True if an entry of a tool list is the name of this tool, in the notation of any host. */
export const isNamed = (entry: string, { name, original }: ServerToolName): boolean => {
  const reference = lookUpTool(splitToolName(entry).name)
  const written = reference.type === "mcp" ? writeMcpName(reference) : entry
  return written === name || written === original
}

/** True if an entry of a tool list is the name of this tool, or a pattern that matches it. */
export const isMeant = (entry: string, tool: ServerToolName): boolean => {
  if (!isServerPattern(entry)) return isNamed(entry, tool)
  const reference = lookUpTool(splitToolName(entry).name)
  const pattern = reference.type === "mcp" ? writeMcpName(reference) : entry
  return matchesStars(pattern, tool.name) || matchesStars(pattern, tool.original)
}

/** True if an entry means any number of tools of a server. */
export const isServerPattern = (text: string): boolean => {
  const reference = lookUpTool(splitToolName(text).name)
  return reference.type === "mcp" && (reference.tool === undefined || reference.tool.includes("*"))
}

/** True if an entry of a tool list may match a tool of this server. */
export function mayMean(entry: string, server: string): boolean {
  if (entry === everyToolEntry) return true
  const { name } = splitToolName(entry)
  const reference = lookUpTool(name)
  const pattern = reference.type === "mcp" ? writeMcpName(reference) : name
  const star = pattern.indexOf("*")
  const start = star < 0 ? pattern : pattern.slice(0, star)
  const own = `mcp__${server}__`
  return start.startsWith(own) || (star >= 0 && own.startsWith(start)) || matchesStars(pattern, own)
}
