import type { Agent } from "../../agent/agent.ts"
import { isNamed, readRulePattern } from "./pattern.ts"
import { canonicalNames } from "./rule-sets.ts"

/** What the definition of an agent asks for, and by what it narrows that itself. */
export interface AskedTools {
  /** Entries of its list without those that it is denied; `everyTool` where it has none. */
  readonly tools: readonly string[]
  /** What it denies itself, whole tools and single uses, by its list or by its rules. */
  readonly denied?: readonly string[]
  /** What its rules have a person asked about. */
  readonly asks?: readonly string[]
  readonly mode?: "plan"
  /** It has no tool that its caller does not have. */
  readonly fork?: true
  /** The program that runs it, by the name that the configuration gives it. */
  readonly executor?: string
}

/** What a definition without a list asks for. */
export const everyTool = "every tool"

/** In the order of their names. */
export function askedTools({ tools: { mode, allow, deny }, rules, ...agent }: Agent): AskedTools {
  const ruled = (decision: "deny" | "ask") =>
    rules.filter((rule) => rule.decision === decision).map(({ tool }) => tool)
  const denied = sorted([...deny, ...ruled("deny")])
  const asks = sorted(ruled("ask"))
  const isDenied = denialReader(denied)
  return {
    tools: mode === "list" ? sorted(allow).filter((entry) => !isDenied(entry)) : [everyTool],
    ...(denied.length > 0 && { denied }),
    ...(asks.length > 0 && { asks }),
    ...(agent.permissionMode === "plan" && { mode: "plan" }),
    ...(agent.context?.fork && { fork: true }),
    ...(agent.executor !== undefined && { executor: agent.executor }),
  }
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort()

/** Whether somebody who was shown an agent with all this has seen all that it asks for now. */
export function isWithin(now: AskedTools, shown: AskedTools): boolean {
  if (now.executor !== undefined && now.executor !== shown.executor) return false
  if (shown.mode !== undefined && now.mode === undefined) return false
  if (shown.fork && !now.fork) return false
  const isShown = shown.tools.includes(everyTool) || now.tools.every((entry) => shown.tools.includes(entry))
  const { denied = [], asks = [] } = now
  const isDenied = denialReader(denied)
  const isLifted = (entry: string) => !isDenied(entry) && isAbout(entry, now.tools)
  return (
    isShown &&
    !shown.denied?.some((entry) => isLifted(entry)) &&
    !shown.asks?.some((entry) => isLifted(entry) && !asks.includes(entry))
  )
}

/** Whether one of these denies all that an entry speaks of. Of very many patterns the first count: more is shown then, never less. */
function denialReader(denied: readonly string[]): (entry: string) => boolean {
  const written = new Set(denied)
  const patterns = denied
    .filter((one) => readRulePattern(one).argument === undefined)
    .flatMap((one) => canonicalNames(one, noTools))
  const plain = new Set(patterns)
  const starred = patterns.filter((pattern) => pattern.includes("*")).slice(0, mostPatterns)
  const reaching = plain.has("Agent") ? [...starred, "Agent"] : starred
  const isTaken = (tool: string) => plain.has(tool) || reaching.some((pattern) => isNamed(pattern, tool))
  return (entry) => denied.length > 0 && (written.has(entry) || toolsOf(entry).every(isTaken))
}

const mostPatterns = 50

/** Whether a denial may speak of something that these entries ask for. */
const isAbout = (denial: string, entries: readonly string[]): boolean =>
  entries.some(
    (entry) =>
      entry === everyTool ||
      entry.includes("*") ||
      denial.includes("*") ||
      toolsOf(entry).some((tool) => toolsOf(denial).includes(tool)),
  )

const toolsOf = (entry: string): readonly string[] =>
  canonicalNames(entry, noTools).map((name) => readRulePattern(name).tool)

const noTools: ReadonlyMap<string, unknown> = new Map()
