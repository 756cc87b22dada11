import { lookUpTool, splitToolName } from "../../../agent/catalogue/look-up.ts"

/** Says in cadre's own words what a grant lets an agent do. Other gains are sentences already, and stay as they are. */
export function grantText(gain: string): string {
  if (gain.startsWith("every tool"))
    return `${gain}: commands, files, web pages, other agents and MCP servers`
  const [, list] = /^tools: (.*)$/s.exec(gain) ?? []
  if (list === undefined) return gain
  const byKind = new Map<string, string[]>()
  for (const entry of entriesOf(list)) {
    const { kind, shown } = meaningOf(entry)
    byKind.set(kind, [...(byKind.get(kind) ?? []), shown])
  }
  const kinds = [...byKind].sort(([one], [other]) => rank(one) - rank(other))
  return `may ${kinds.map(([kind, entries]) => `${kind} (${[...new Set(entries)].join(", ")})`).join("; ")}`
}

/** Splits at commas outside of parentheses. */
const entriesOf = (list: string): readonly string[] =>
  [...list.matchAll(/(?:[^,(]|\([^)]*\))+/g)].map(([entry]) => entry.trim()).filter((entry) => entry !== "")

function meaningOf(entry: string): { readonly kind: string; readonly shown: string } {
  const { name, argument } = splitToolName(entry)
  const match = lookUpTool(name)
  if (/[/\\]/.test(name) && /\.\w+$/.test(name)) return { kind: "run its scripts", shown: entry }
  if (match.type === "mcp") return { kind: "use tools of MCP servers", shown: entry }
  if (!("name" in match)) return { kind: match.type === "pattern" ? fitting : foreign, shown: entry }
  const ours = `${match.name}${argument === undefined ? "" : `(${argument})`}`
  const [kind] = Object.entries(kinds).find(([, tools]) => tools.includes(match.name)) ?? [other]
  return { kind, shown: ours === entry ? entry : `${ours}, written ${entry}` }
}

/** The most dangerous first. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  "run commands": ["Bash"],
  "change files": ["Edit", "Write", "ApplyPatch"],
  "start other agents": ["Agent"],
  "read web pages": ["WebFetch", "WebSearch"],
  "read files": ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
}
const fitting = "use every tool whose name fits"
const foreign = "use tools that cadre does not have"
const other = "use"

function rank(kind: string): number {
  const at = [fitting, ...Object.keys(kinds)].indexOf(kind)
  return at < 0 ? Number.MAX_SAFE_INTEGER : at
}
