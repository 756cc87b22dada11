import type { Agent } from "../../agent/agent.ts"
import { coversTool, readRulePattern } from "./pattern.ts"
import { toCanonicalNames } from "./rule-sets.ts"

/** The tools that an agent's definition asks for, and how the definition narrows them itself. */
export interface RequestedTools {
  /** The entries of its list without the denied ones; `everyTool` where it has no list. */
  readonly tools: readonly string[]
  /** Entries that the definition denies, by its list or by its rules: whole tools and single uses. */
  readonly denied?: readonly string[]
  /** Entries for which the agent's rules ask a person. */
  readonly asks?: readonly string[]
  readonly mode?: "plan"
  /** The agent has no tool that its caller does not have. */
  readonly fork?: true
  /** The program that runs the agent, by its name in the configuration. */
  readonly executor?: string
}

/** The entry for a definition without a list. */
export const everyToolEntry = "every tool"

/** The tools of a definition, sorted by name. */
export function readRequestedTools({ tools: { mode, allow, deny }, rules, ...agent }: Agent): RequestedTools {
  const toolsWith = (decision: "deny" | "ask") =>
    rules.filter((rule) => rule.decision === decision).map(({ tool }) => tool)
  const denied = sorted([...deny, ...toolsWith("deny")])
  const asks = sorted(toolsWith("ask"))
  const isDenied = denialReader(denied)
  return {
    tools: mode === "list" ? sorted(allow).filter((entry) => !isDenied(entry)) : [everyToolEntry],
    ...(denied.length > 0 && { denied }),
    ...(asks.length > 0 && { asks }),
    ...(agent.permissionMode === "plan" && { mode: "plan" }),
    ...(agent.context?.fork && { fork: true }),
    ...(agent.executor !== undefined && { executor: agent.executor }),
  }
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort()

/** True if a person who approved `approved` has seen everything that the agent asks for now. */
export function isCoveredBy(now: RequestedTools, approved: RequestedTools): boolean {
  if (now.executor !== undefined && now.executor !== approved.executor) return false
  if (approved.mode !== undefined && now.mode === undefined) return false
  if (approved.fork && !now.fork) return false
  const isShown =
    approved.tools.includes(everyToolEntry) || now.tools.every((entry) => approved.tools.includes(entry))
  const { denied = [], asks = [] } = now
  const isDenied = denialReader(denied)
  const isLifted = (entry: string) => !isDenied(entry) && isAbout(entry, now.tools)
  return (
    isShown &&
    !approved.denied?.some((entry) => isLifted(entry)) &&
    !approved.asks?.some((entry) => isLifted(entry) && !asks.includes(entry))
  )
}

/**
 * True if one of the denials covers everything that an entry means. Only the first patterns count: with very
 * many, more is shown to the person, never less.
 */
function denialReader(denied: readonly string[]): (entry: string) => boolean {
  const exact = new Set(denied)
  const patterns = denied
    .filter((one) => readRulePattern(one).argument === undefined)
    .flatMap((one) => toCanonicalNames(one, noTools))
  const plain = new Set(patterns)
  const starred = patterns.filter((pattern) => pattern.includes("*")).slice(0, mostPatterns)
  const wildcards = plain.has("Agent") ? [...starred, "Agent"] : starred
  const isToolDenied = (tool: string) =>
    plain.has(tool) || wildcards.some((pattern) => coversTool(pattern, tool))
  return (entry) => denied.length > 0 && (exact.has(entry) || toolsOf(entry).every(isToolDenied))
}

const mostPatterns = 50

/** True if a denial may be about something that these entries ask for. */
const isAbout = (denial: string, entries: readonly string[]): boolean =>
  entries.some(
    (entry) =>
      entry === everyToolEntry ||
      entry.includes("*") ||
      denial.includes("*") ||
      toolsOf(entry).some((tool) => toolsOf(denial).includes(tool)),
  )

const toolsOf = (entry: string): readonly string[] =>
  toCanonicalNames(entry, noTools).map((name) => readRulePattern(name).tool)

const noTools: ReadonlyMap<string, unknown> = new Map()
