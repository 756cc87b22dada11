import { type Json, mapOf } from "../../../ground/message.ts"

/** Programs in which a person works. A run counts as a session of each of them. */
const programs: readonly string[] = [
  "claude",
  "gemini",
  "codex",
  "antigravity",
  "cursor",
  "windsurf",
  "copilot",
]

/** All sources of sessions in Gobby. */
export const sources: readonly string[] = [...programs, "claude_sdk", "claude_sdk_web_chat"]

/** The reason why a file does not apply to runs that do not name it. Undefined: it applies. */
export function findOffReason(value: Json): string | undefined {
  const { enabled, type, sources } = mapOf(value)
  if (enabled === false) return "it says `enabled: false`"
  // Older files have no `enabled`. Their steps apply only to agents that name the file.
  if (enabled === undefined && type === "step") return "it has `type: step` without `enabled: true`"
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
