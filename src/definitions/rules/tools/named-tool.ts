import type { KnownTool } from "../../../agent/catalogue/known-tool.ts"
import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"
import { matches } from "../../../ground/patterns/stars.ts"
import type { CheckedAgent, Surroundings } from "../rule.ts"

/** One entry of a list of tools, and what it turned out to be. */
export interface NamedTool {
  readonly text: string
  readonly name: string
  /** What stands in parentheses. */
  readonly argument?: string
  readonly index: number
  readonly known: KnownTool
}

/** Several rules ask about the same list. */
const known = new WeakMap<Surroundings, WeakMap<readonly string[], readonly NamedTool[]>>()

export function namedTools(
  list: readonly string[],
  checked: CheckedAgent,
  surroundings: Surroundings,
): readonly NamedTool[] {
  const lists = known.get(surroundings) ?? new WeakMap<readonly string[], readonly NamedTool[]>()
  known.set(surroundings, lists)
  const before = lists.get(list)
  if (before) return before
  const named = lookUp(list, checked, surroundings)
  // What an agent does not say is one empty list for all of them.
  if (list.length > 0) lists.set(list, named)
  return named
}

function lookUp(
  list: readonly string[],
  checked: CheckedAgent,
  surroundings: Surroundings,
): readonly NamedTool[] {
  if (list.length === 0) return []
  const own = new Set(ownTools(checked))
  const isOwn = (name: string) => own.has(name) || surroundings.tools.has(name) || name === "submit_result"
  const servers = ownServers(checked)
  return list.map((text, index) => {
    const { name, argument } = splitToolName(text)
    const known: KnownTool = isOwn(name)
      ? { type: "tool", name }
      : servers.has(name)
        ? { type: "mcp", server: name }
        : lookUpTool(text, hostOf(checked))
    return { text, name, index, known, ...(argument !== undefined && { argument }) }
  })
}

/** The tools that an entry grants or takes away; none where it resolves to nothing. */
export function toolsOf({ name, known }: NamedTool): readonly string[] {
  switch (known.type) {
    case "tool":
      return [known.name]
    case "equivalent":
      return [known.name, ...(known.also ?? [])]
    case "mcp":
    case "pattern":
      return [name]
    case "foreign":
    case "unknown":
      return []
  }
}

const longestPattern = 500

/** Whether a pattern stands for a name. `mcp__github` is every tool of that server. */
export function isWithin(pattern: string, name: string): boolean {
  if (pattern === name) return true
  if (pattern.length > longestPattern) return false
  if (/^mcp__[^*]+$/.test(pattern)) return name.startsWith(`${pattern}__`)
  return matches(pattern, name)
}

/** Whether the parentheses of an entry open and close. */
export function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === "(") depth++
    if (character === ")" && --depth < 0) return false
  }
  return depth === 0
}

/** Tools that come with the file itself. */
export const ownTools = (checked: CheckedAgent): readonly string[] => [
  ...definedTools(checked),
  // A Remora file lists nothing but tools of its own, also where one of them could not be read.
  ...(checked.agent.origin.format === "remora" ? checked.agent.tools.allow : []),
]

/** Those of them that are defined. */
const definedTools = ({ agent }: CheckedAgent): readonly string[] =>
  anyList(agent.toolDefinitions).flatMap((definition) => {
    const name = (definition as { readonly name?: unknown } | null)?.name
    return typeof name === "string" ? name : []
  })

const ownServers = ({ agent }: CheckedAgent): ReadonlySet<string> =>
  new Set(
    anyList(agent.mcpServers).flatMap((server) => {
      if (typeof server === "string") return server
      return typeof server === "object" && server !== null ? Object.keys(server) : []
    }),
  )

/** Files may say anything where a list is expected. */
export const anyList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The host whose names a file is written in: `codex-md` and `codex-toml` are both of Codex. */
export const hostOf = ({ agent }: CheckedAgent): string => agent.origin.format.split("-")[0]!
