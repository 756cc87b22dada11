import type { Json } from "../message.ts"
import type { CommandEnd } from "../run/environment.ts"

/** What the command of a hook says of a call. */
export type CommandVerdict =
  | { readonly type: "block"; readonly reason: string }
  | {
      readonly type: "pass"
      readonly context?: string
      readonly input?: { readonly [name: string]: Json }
      readonly problem?: string
    }

/**
 * Reads the end of a command as Claude Code does: 2 blocks with what was printed, another code above 0 is told and passed
 * over, and after 0 an object may say more. A command that nobody saw end by itself blocks.
 */
export function commandVerdict(end: CommandEnd): CommandVerdict {
  if ("problem" in end) return { type: "block", reason: `its command could not judge: ${end.problem}` }
  const { exitCode, text } = end
  // The tool adds how it ended, which is known.
  const said = text
    .replace(/(^|\n)\[[^\n]*\]$/, "")
    .slice(0, 4_000)
    .trim()
  if (exitCode === 2) return { type: "block", reason: said || "its command ended with 2" }
  if (exitCode >= 124) return { type: "block", reason: `its command did not end by itself: ${said}` }
  if (exitCode !== 0) return { type: "pass", problem: `its command ended with ${exitCode}: ${said}` }
  return answerOf(text)
}

function answerOf(text: string): CommandVerdict {
  const answer = objectIn(text)
  const specific = mapOf(answer.hookSpecificOutput)
  const { permissionDecision = answer.decision, additionalContext, updatedInput } = specific
  const reason = textOf(specific.permissionDecisionReason ?? answer.reason ?? answer.stopReason)
  if (answer.continue === false || ["block", "deny"].includes(String(permissionDecision)))
    return { type: "block", reason: reason ?? "its command says so" }
  if (permissionDecision === "ask")
    return { type: "block", reason: `its command wants a person to be asked: ${reason ?? "no reason"}` }
  const context = textOf(additionalContext)
  return {
    type: "pass",
    ...(context !== undefined && { context }),
    ...(typeof updatedInput === "object" && updatedInput !== null && { input: mapOf(updatedInput) }),
  }
}

/** Whatever is no object says nothing. */
function objectIn(text: string): { readonly [key: string]: Json } {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")]
  if (start < 0 || text.slice(0, start).trim() !== "") return {}
  try {
    return mapOf(JSON.parse(text.slice(start, end + 1)) as Json)
  } catch {
    return {}
  }
}

const mapOf = (value: Json | undefined): { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { readonly [key: string]: Json })
    : {}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.slice(0, 10_000) : undefined
