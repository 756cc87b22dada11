import type { KnownTool } from "../../../agent/catalogue/known-tool.ts"
import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { matchesStars } from "../../../ground/patterns/stars.ts"
import type { CheckedAgent, RuleFacts } from "../rule.ts"

/** One entry of a list of tools, with the tool that it names. */
export interface ToolListEntry {
  readonly text: string
  readonly name: string
  /** The text in parentheses. */
  readonly argument?: string
  readonly index: number
  readonly match: KnownTool
}

/** Cached, because several rules read the same list. */
const cache = new WeakMap<RuleFacts, WeakMap<readonly string[], readonly ToolListEntry[]>>()

export function readToolEntries(
  list: readonly string[],
  checked: CheckedAgent,
  surroundings: RuleFacts,
): readonly ToolListEntry[] {
  const lists = cache.get(surroundings) ?? new WeakMap<readonly string[], readonly ToolListEntry[]>()
  cache.set(surroundings, lists)
  const before = lists.get(list)
  if (before) return before
  const entries = lookUp(list, checked, surroundings)
  // All agents without a list share one empty list, so it is not a key for one agent.
  if (list.length > 0) lists.set(list, entries)
  return entries
}

function lookUp(
  list: readonly string[],
  checked: CheckedAgent,
  surroundings: RuleFacts,
): readonly ToolListEntry[] {
  if (list.length === 0) return []
  const own = new Set(listFileTools(checked))
  const isCadreTool = (name: string) =>
    own.has(name) || surroundings.tools.has(name) || name === "submit_result"
  const servers = ownServers(checked)
  return list.map((text, index) => {
    const { name, argument } = splitToolName(text)
    const match: KnownTool = isCadreTool(name)
      ? { type: "tool", name }
      : servers.has(name)
        ? { type: "mcp", server: name }
        : lookUpTool(text, getToolHost(checked))
    return { text, name, index, match, ...(argument !== undefined && { argument }) }
  })
}

/** The tools that an entry grants or denies. Empty if the entry names no tool here. */
export function listEntryTools({ name, match }: ToolListEntry): readonly string[] {
  switch (match.type) {
    case "tool":
      return [match.name]
    case "equivalent":
      return [match.name, ...(match.also ?? [])]
    case "mcp":
    case "pattern":
      return [name]
    case "foreign":
    case "unknown":
      return []
  }
}

const longestPattern = 500

/** True if a pattern matches a name. `mcp__github` matches every tool of that server. */
export function matchesTool(pattern: string, name: string): boolean {
  if (pattern === name) return true
  if (pattern.length > longestPattern) return false
  if (/^mcp__[^*]+$/.test(pattern)) return name.startsWith(`${pattern}__`)
  return matchesStars(pattern, name)
}

/** True if every parenthesis of an entry is opened and closed. */
export function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    if (character === ")" && --depth < 0) return false
  }
  return depth === 0
}

/** The tools that the file itself brings. */
export const listFileTools = (checked: CheckedAgent): readonly string[] => [
  ...definedTools(checked),
  // A Remora file lists only its own tools, even if one of them could not be read.
  ...(checked.agent.origin.format === "remora" ? checked.agent.tools.allow : []),
]

/** The tools in `toolDefinitions`. */
const definedTools = ({ agent }: CheckedAgent): readonly string[] =>
  toAnyList(agent.toolDefinitions).flatMap((definition) => {
    const name = (definition as { readonly name?: unknown } | null)?.name
    return typeof name === "string" ? name : []
  })

const ownServers = ({ agent }: CheckedAgent): ReadonlySet<string> =>
  new Set(
    toAnyList(agent.mcpServers).flatMap((server) => {
      if (typeof server === "string") return server
      return typeof server === "object" && server !== null ? Object.keys(server) : []
    }),
  )

/** The value, if it is a list. A file may have any value where a list is expected. */
export const toAnyList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The host whose tool names a file uses: `codex-md` and `codex-toml` both belong to Codex. */
export const getToolHost = ({ agent }: CheckedAgent): string => agent.origin.format.split("-")[0]!
