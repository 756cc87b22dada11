import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"
import { isMap, type Json } from "../../ground/message.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { LifecycleHook } from "./hook.ts"
import { matchesName, type NamePattern } from "./name-pattern.ts"
import { readNamePattern, readNames } from "./read-names.ts"

type Path = PlacedProblem["path"]
type Entry = { readonly [key: string]: Json }
type Report = (problem: PlacedProblem) => void

/** A hook in Claude Code's format, converted to an entry of our format. */
interface ClaudePlace {
  readonly event: LifecycleEvent
  readonly entry: Entry
  readonly path: Path
  readonly meant: Pick<LifecycleHook, "runs" | "sources" | "alias">
}

const names: Readonly<Record<string, LifecycleEvent>> = {
  PreToolUse: "before_tool",
  PostToolUse: "after_tool",
  PostToolUseFailure: "after_tool",
  Stop: "stop",
  SubagentStop: "stop",
  SessionStart: "run_start",
  UserPromptSubmit: "run_start",
  SessionEnd: "run_end",
}

/** Events of Claude Code (2026-11) that cadre does not have. Their hooks never run, which `cadre check` reports. */
export const unfollowedEvents: readonly string[] = [
  ...["ConfigChange", "CwdChanged", "Elicitation", "ElicitationResult", "FileChanged", "InstructionsLoaded"],
  ...["Notification", "PermissionDenied", "PermissionRequest", "PostCompact", "PostToolBatch", "PreCompact"],
  ...["Setup", "StopFailure", "SubagentStart", "TaskCompleted", "TaskCreated", "TeammateIdle"],
  ...["UserPromptExpansion", "WorktreeCreate", "WorktreeRemove"],
]

export const claudeEvents: readonly string[] = [...Object.keys(names), ...unfollowedEvents]

/** Claude Code has one event for successful calls and another for failed ones. */
const conditions: Readonly<Record<string, string>> = {
  PostToolUse: 'status == "ok"',
  PostToolUseFailure: 'status != "ok"',
}

/** In a definition, `Stop` and `SubagentStop` are for its own runs. Elsewhere they are for root runs and child runs. */
export type HookContainer = "definition" | "set"

/** Converts matchers with commands. Each command becomes a hook. */
export function convertClaudeEntries(
  key: string,
  entries: Json,
  place: HookContainer,
  report: Report,
): readonly ClaudePlace[] {
  const event = names[key]
  if (!event) return []
  return listOf(entries).flatMap((group: Json, index): readonly ClaudePlace[] => {
    const { matcher, hooks } = isMap(group) ? group : {}
    if (hooks === undefined || hooks === null) {
      report({
        path: [key, index],
        message: "a matcher needs `hooks`: a list of `{ type: command, command }`.",
      })
      return []
    }
    const reportMatcher = (problem: PlacedProblem) =>
      report({ ...problem, path: [key, index, "matcher", ...problem.path] })
    const match = matching(key, matcher, reportMatcher)
    if (!match) return []
    return listOf(hooks).flatMap((hook: Json, at): readonly ClaudePlace[] => {
      const path = [key, index, "hooks", at]
      const { type = "command", command, timeout } = isMap(hook) ? hook : {}
      if (type === "command") {
        const run = { command: command ?? null, ...(timeout !== undefined && { timeout }) }
        const meant = { alias: key, ...(place === "set" && ofRuns(key)), ...match.meant }
        const when = conditions[key]
        return [{ event, path, entry: { ...match.entry, ...(when && { when }), run }, meant }]
      }
      report({
        path,
        message: `a hook of the type ${JSON.stringify(type)} is not supported. Use the type command.`,
      })
      return []
    })
  })
}

/** Converts the path of a problem to the keys of Claude Code's format. */
export function toClaudePath([key, index, hooks, at, ...rest]: Path): Path {
  const [part, inner] = rest
  const path = [key, index, hooks, at].filter((step) => step !== undefined)
  if (part === "tools" || part === "agents") return [...path.slice(0, 2), "matcher"]
  if (part === "run") return [...path, inner === "timeout" ? inner : "command"]
  return [...path, ...rest]
}

const ofRuns = (key: string): Pick<LifecycleHook, "runs"> =>
  key === "Stop" ? { runs: "roots" } : key === "SubagentStop" ? { runs: "children" } : {}

/** The tools, agents or kinds of start and end that a matcher selects. Undefined: it never matches. */
function matching(
  key: string,
  matcher: Json | undefined,
  report: Report,
): { readonly entry: Entry; readonly meant?: { readonly sources: NamePattern } } | undefined {
  if (matcher === undefined || matcher === null || matcher === "" || matcher === "*") return { entry: {} }
  switch (key) {
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
      return areNames(matcher, report) ? { entry: { tools: matcher } } : undefined
    case "SubagentStop":
      return areNames(matcher, report) ? { entry: { agents: matcher } } : undefined
    case "SessionStart": {
      const sources = readNamePattern(String(matcher), report)
      return sources && isOneOf(sources, ["startup", "resume"])
        ? { entry: {}, meant: { sources } }
        : undefined
    }
    case "SessionEnd": {
      const reasons = readNamePattern(String(matcher), report)
      return reasons && isOneOf(reasons, ["other"]) ? { entry: {} } : undefined
    }
    default:
      return { entry: {} }
  }
}

/** Problems are reported at the matcher, because the file has no `agents` or `tools`. */
function areNames(agents: Json, report: Report): boolean {
  const problems: PlacedProblem[] = []
  readNames({ agents, tools: undefined }, (problem) => void problems.push({ ...problem, path: [] }))
  for (const problem of problems) report(problem)
  return problems.length === 0
}

const isOneOf = (pattern: NamePattern, names: readonly string[]): boolean =>
  names.some((name) => matchesName(pattern, name))

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])
