import { type Json, mapOf } from "../../../ground/message.ts"

/** Programs in which a person works; a run counts as a session of each. */
const programs: readonly string[] = [
  "claude",
  "gemini",
  "codex",
  "antigravity",
  "cursor",
  "windsurf",
  "copilot",
]

/** Everything that Gobby knows as a source of sessions. */
export const sources: readonly string[] = [...programs, "claude_sdk", "claude_sdk_web_chat"]

/** Why nothing of a file holds for runs that do not name it; undefined where it does. */
export function offBecause(value: Json): string | undefined {
  const { enabled, type, sources } = mapOf(value)
  if (enabled === false) return "it says `enabled: false`"
  // Of files from before `enabled`: steps are followed where they are named.
  if (enabled === undefined && type === "step") return "it is of the type step, without `enabled: true`"
  if (
    !Array.isArray(sources) ||
    sources.length === 0 ||
    sources.some((source) => programs.includes(String(source)))
  )
    return undefined
  const others = ["not", "neither"][sources.length - 1] ?? "none of these"
  return `the file applies only to ${inWords(sources.map(String))} sessions, and cadre runs are ${others}`
}

const inWords = (names: readonly string[]): string =>
  [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(" and ")
