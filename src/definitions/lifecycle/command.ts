import { type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import type { CommandEnd } from "../../run/ports/hooked.ts"
import type { LifecycleEvent } from "./event-names.ts"

/** What the command of a hook says. */
export type CommandVerdict =
  /** `final`: it could not judge, and nothing that a model does would change that. */
  | { readonly type: "block"; readonly reason: string; readonly final?: true }
  | {
      readonly type: "pass"
      readonly context?: string
      readonly input?: { readonly [name: string]: Json }
      readonly problem?: string
    }

/**
 * Reads the end of a command as Claude Code does: 2 blocks with what was printed, another code above 0 is told and passed
 * over, and after 0 an object may say more. A command that is not there, or that nobody saw end by itself, blocks, and so
 * does what begins as an object and cannot be read: it may have been a refusal.
 */
export function commandVerdict(end: CommandEnd, event: LifecycleEvent): CommandVerdict {
  if ("problem" in end) return unjudged(`its command could not judge: ${end.problem}`)
  const { exitCode, text } = end
  // The tool adds how it ended, which is known.
  const said = text
    .replace(/(^|\n)\[[^\n]*\]$/, "")
    .slice(0, 4_000)
    .trim()
    .replace(/^\(no output\)$/, "")
  if (exitCode === 2)
    return { type: "block", reason: textOf(objectIn(text)?.reason) ?? (said || "its command ended with 2") }
  if (exitCode === 126 || exitCode === 127) return unjudged(`its command could not be run: ${said}`)
  if (exitCode >= 124) return unjudged(`its command did not end by itself: ${said}`)
  if (exitCode !== 0) return { type: "pass", problem: `its command ended with ${exitCode}: ${said}` }
  const answer = objectIn(text)
  if (answer) return answerOf(answer, event)
  if (said.startsWith("{")) return unjudged(`its command printed an object that cannot be read: ${said}`)
  // What is printed when a run starts is told to its model.
  return event === "run_start" && said !== "" ? { type: "pass", context: said } : { type: "pass" }
}

const unjudged = (reason: string): CommandVerdict => ({ type: "block", reason, final: true })

function answerOf(answer: JsonMap, event: LifecycleEvent): CommandVerdict {
  const specific = mapOf(answer.hookSpecificOutput)
  const { permissionDecision = answer.decision, additionalContext, updatedInput } = specific
  const reason = textOf(specific.permissionDecisionReason ?? answer.reason ?? answer.stopReason)
  // Not to go on is what a run wants that would end.
  if (answer.continue === false && event === "stop") return { type: "pass" }
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
