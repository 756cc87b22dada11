import { type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import type { CommandOutcome } from "../../run/ports/hooked.ts"
import type { LifecycleEvent } from "./event-names.ts"

/** The verdict of a hook's command. */
export type CommandVerdict =
  /** `final`: the command could not judge, and nothing that a model does can change that. */
  | { readonly type: "block"; readonly reason: string; readonly final?: true }
  | {
      readonly type: "pass"
      readonly context?: string
      readonly input?: { readonly [name: string]: Json }
      readonly problem?: string
    }

/**
 * Reads the end of a command as Claude Code does. Exit code 2 blocks, with the output as the reason. Other codes above 0
 * are reported and pass. After 0, a printed JSON object decides. A command that is missing or did not end by itself
 * blocks. So does an invalid JSON object, because it may have been a refusal.
 */
export function readCommandEnd(end: CommandOutcome, event: LifecycleEvent): CommandVerdict {
  if ("problem" in end) return unjudged(`its command could not judge: ${end.problem}`)
  const { exitCode, text } = end
  // Bash adds a last line about how the command ended, which is already known.
  const output = text
    .replace(/(^|\n)\[[^\n]*\]$/, "")
    .slice(0, 4_000)
    .trim()
    .replace(/^\(no output\)$/, "")
  if (exitCode === 2)
    return {
      type: "block",
      reason: textOf(objectIn(text)?.reason) ?? (output || "its command exited with code 2"),
    }
  if (exitCode === 126 || exitCode === 127) return unjudged(`its command could not be run: ${output}`)
  if (exitCode >= 124) return unjudged(`its command did not end by itself: ${output}`)
  if (exitCode !== 0) return { type: "pass", problem: `its command exited with code ${exitCode}: ${output}` }
  const answer = objectIn(text)
  if (answer) return answerOf(answer, event)
  if (output.startsWith("{")) return unjudged(`its command printed invalid JSON: ${output}`)
  // The output at the start of a run is given to its model.
  return event === "run_start" && output !== "" ? { type: "pass", context: output } : { type: "pass" }
}

const unjudged = (reason: string): CommandVerdict => ({ type: "block", reason, final: true })

function answerOf(answer: JsonMap, event: LifecycleEvent): CommandVerdict {
  const specific = mapOf(answer.hookSpecificOutput)
  const { permissionDecision = answer.decision, additionalContext, updatedInput } = specific
  const reason = textOf(specific.permissionDecisionReason ?? answer.reason ?? answer.stopReason)
  // At `stop`, `continue: false` agrees with the run, which is about to end.
  if (answer.continue === false && event === "stop") return { type: "pass" }
  if (answer.continue === false || ["block", "deny"].includes(String(permissionDecision)))
    return { type: "block", reason: reason ?? "its command blocked it" }
  if (permissionDecision === "ask")
    return { type: "block", reason: `its command wants a person to decide: ${reason ?? "no reason"}` }
  const context = textOf(additionalContext)
  return {
    type: "pass",
    ...(context !== undefined && { context }),
    ...(typeof updatedInput === "object" && updatedInput !== null && { input: mapOf(updatedInput) }),
  }
}

function objectIn(text: string): JsonMap | undefined {
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")]
  if (start < 0 || text.slice(0, start).trim() !== "") return undefined
  try {
    return mapOf(JSON.parse(text.slice(start, end + 1)) as Json)
  } catch {
    return undefined
  }
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.slice(0, 10_000) : undefined
