import type { KnownTool } from "./known-tool.ts"
import { readMcpTool } from "./mcp-tool.ts"
import { canonicalTools, hosts } from "./tools.ts"

/**
 * The meaning of a name in a list of tools. Names are compared as they are written.
 * `host` decides names that hosts read differently (`edit` of Copilot also creates files). Without it, a name
 * means only what all hosts agree on.
 */
export function lookUpTool(text: string, host?: string): KnownTool {
  const { name } = splitToolName(text)
  indexCache ??= buildIndex()
  const meanings = indexCache.get(name)
  if (meanings) return meanings.byHost.get(host ?? "") ?? meanings.agreed
  return readMcpTool(name) ?? (name.includes("*") ? { type: "pattern" } : { type: "unknown" })
}

/** Every name that a host has for a tool, including ours. */
export function listCatalogueNames(): Iterable<string> {
  indexCache ??= buildIndex()
  return indexCache.keys()
}

/** `Agent(a, b)` is the tool `Agent` with the argument `a, b`. */
export function splitToolName(text: string): { readonly name: string; readonly argument?: string } {
  const trimmed = text.trim()
  const open = trimmed.indexOf("(")
  if (open <= 0 || !trimmed.endsWith(")")) return { name: trimmed }
  return { name: trimmed.slice(0, open).trimEnd(), argument: trimmed.slice(open + 1, -1).trim() }
}

/** The names that hosts have for one of our tools. */
export function listHostNames(tool: string): readonly string[] {
  const names =
    others.get(tool) ??
    hosts.flatMap(({ equivalents }) => words((equivalents as Readonly<Record<string, string>>)[tool] ?? ""))
  others.set(tool, names)
  return names
}

/** True if a name that some host has for a tool matches. */
export function isKnownName(matches: (name: string) => boolean): boolean {
  indexCache ??= buildIndex()
  return [...indexCache.keys()].some(matches)
}

const others = new Map<string, readonly string[]>()

interface Meanings {
  readonly agreed: KnownTool
  readonly byHost: ReadonlyMap<string, KnownTool>
}

let indexCache: ReadonlyMap<string, Meanings> | undefined

function buildIndex(): ReadonlyMap<string, Meanings> {
  const hostsByName = new Map<string, Map<string, string[]>>()
  const toolsOf = (name: string, host: string): string[] => {
    const byHost = hostsByName.get(name) ?? new Map<string, string[]>()
    const tools = byHost.get(host) ?? []
    hostsByName.set(name, byHost.set(host, tools))
    return tools
  }
  for (const host of hosts) {
    for (const [tool, names] of Object.entries(host.equivalents))
      for (const name of words(names)) toolsOf(name, host.id).push(tool)
    for (const name of words(host.foreign)) toolsOf(name, host.id)
  }
  const meanings = new Map<string, Meanings>()
  for (const [name, byHost] of hostsByName) meanings.set(name, meaningsOf(byHost))
  for (const name of canonicalTools) meanings.set(name, { agreed: { type: "tool", name }, byHost: new Map() })
  return meanings
}

function meaningsOf(byHost: ReadonlyMap<string, readonly string[]>): Meanings {
  const mapping = [...byHost].filter(([, tools]) => tools.length > 0)
  if (mapping.length === 0)
    return { agreed: { type: "foreign", hosts: [...byHost.keys()] }, byHost: new Map() }
  const ids = mapping.map(([host]) => host)
  const agreed = mapping[0]![1].filter((tool) => mapping.every(([, tools]) => tools.includes(tool)))
  return {
    agreed: equivalent(agreed, ids),
    byHost: new Map(mapping.map(([host, tools]) => [host, equivalent(tools, ids)])),
  }
}

function equivalent([name, ...also]: readonly string[], ids: readonly string[]): KnownTool {
  return { type: "equivalent", name: name!, ...(also.length > 0 && { also }), hosts: ids }
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "")
}
