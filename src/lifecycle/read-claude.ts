import type { Json } from "../message.ts"
import type { LifecycleEvent } from "./event-names.ts"
import type { HookProblem, LifecycleHook } from "./hook.ts"
import { matchesName, type NamePattern } from "./name-pattern.ts"
import { readNames, readPattern } from "./read-names.ts"

type Path = HookProblem["path"]
type Entry = { readonly [key: string]: Json }
type Report = (problem: HookProblem) => void

/** A hook as Claude Code writes it, as an entry of ours. */
interface ClaudePlace {
  readonly event: LifecycleEvent
  readonly entry: Entry
  readonly path: Path
  readonly meant: Pick<LifecycleHook, "runs" | "sources" | "alias">
}

/** Claude Code's events; of those that none of ours is, nothing is done. */
export const claudeEvents: readonly string[] =
  "PreToolUse PostToolUse Stop SubagentStop SubagentStart Notification UserPromptSubmit SessionStart SessionEnd PreCompact".split(
    " ",
  )

const names: Readonly<Record<string, LifecycleEvent>> = {
  PreToolUse: "before_tool",
  PostToolUse: "after_tool",
  Stop: "stop",
  SubagentStop: "stop",
  SessionStart: "run_start",
  UserPromptSubmit: "run_start",
  SessionEnd: "run_end",
}

/** In a definition `Stop` and `SubagentStop` are of its own runs; elsewhere of those that nobody calls, and of all others. */
export type Place = "definition" | "set"

/** Matchers with commands: each is a hook that runs one. */
export function claudeEntries(
  key: string,
  entries: Json,
  place: Place,
  report: Report,
): readonly ClaudePlace[] {
  const event = names[key]
  if (!event) return []
  return listOf(entries).flatMap((group: Json, index): readonly ClaudePlace[] => {
    const { matcher, hooks = [] } = isMap(group) ? group : {}
    const told = (problem: HookProblem) =>
      report({ ...problem, path: [key, index, "matcher", ...problem.path] })
    const match = matching(key, matcher, told)
    if (!match) return []
    return listOf(hooks).flatMap((hook: Json, at): readonly ClaudePlace[] => {
      const path = [key, index, "hooks", at]
      const { type = "command", command, timeout } = isMap(hook) ? hook : {}
      if (type === "command") {
        const run = { command: command ?? null, ...(timeout !== undefined && { timeout }) }
        const meant = { alias: key, ...(place === "set" && ofRuns(key)), ...match.meant }
        return [{ event, path, entry: { ...match.entry, run }, meant }]
      }
      report({ path, message: `a hook of the type ${JSON.stringify(type)} cannot be followed; command can.` })
      return []
    })
  })
}

const ofRuns = (key: string): Pick<LifecycleHook, "runs"> =>
  key === "Stop" ? { runs: "roots" } : key === "SubagentStop" ? { runs: "children" } : {}

/** What a matcher narrows: tools, agents, how a run begins or ends. Undefined where that never is. */
function matching(
  key: string,
  matcher: Json | undefined,
  report: Report,
): { readonly entry: Entry; readonly meant?: { readonly sources: NamePattern } } | undefined {
  if (matcher === undefined || matcher === null || matcher === "" || matcher === "*") return { entry: {} }
  switch (key) {
    case "PreToolUse":
    case "PostToolUse":
      return areNames(matcher, report) ? { entry: { tools: matcher } } : undefined
    case "SubagentStop":
      return areNames(matcher, report) ? { entry: { agents: matcher } } : undefined
    case "SessionStart": {
      const sources = readPattern(String(matcher), report)
      return sources && isOneOf(sources, ["startup", "resume"])
        ? { entry: {}, meant: { sources } }
        : undefined
    }
    case "SessionEnd": {
      const reasons = readPattern(String(matcher), report)
      return reasons && isOneOf(reasons, ["other"]) ? { entry: {} } : undefined
    }
    default:
      return { entry: {} }
  }
}

/** What is wrong with them is told of the matcher, which is what a person wrote. */
function areNames(agents: Json, report: Report): boolean {
  const problems: HookProblem[] = []
  readNames({ agents, tools: undefined }, (problem) => void problems.push({ ...problem, path: [] }))
  for (const problem of problems) report(problem)
  return problems.length === 0
}

const isOneOf = (pattern: NamePattern, names: readonly string[]): boolean =>
  names.some((name) => matchesName(pattern, name))

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

const isMap = (value: Json | undefined): value is Entry =>
  typeof value === "object" && value !== null && !Array.isArray(value)
