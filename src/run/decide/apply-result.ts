import type { ToolEvidence } from "../../agent/tool.ts"
import type { Message } from "../../ground/message.ts"
import type { CallResult } from "../log/event.ts"
import type { OpenCall } from "../state/open-call.ts"
import { warnRepeats } from "../state/repeats.ts"
import type { RunState } from "../state/state.ts"
import { repeatWarning } from "../words/prompt.ts"

/** Several invalid results in one turn count as one mistake: the model has read nothing in between. */
export function applySubmission(
  { rejected, turn }: RunState,
  { arguments: text }: OpenCall,
  { status, text: problem }: CallResult,
): Pick<RunState, "submitted" | "rejected"> {
  if (status === "ok") return { submitted: JSON.parse(text), rejected: undefined }
  if (status !== "error") return {}
  const count = (rejected?.count ?? 0) + (rejected?.turn === turn ? 0 : 1)
  return { rejected: { turn, count, text, problem } }
}

/** Remembers the hash of each file that a call read or changed. */
export function rememberFiles(
  seen: RunState["seen"],
  { read = [], files = [] }: ToolEvidence,
): RunState["seen"] {
  return seen.with([...read, ...files].map(({ path, hash }) => [path, hash]))
}

/** A successful call in a later turn counts as a check of unknown outcomes. Submitting a result does not. */
export function updateUnresolved(
  state: RunState,
  call: OpenCall,
  { status, toldByTool }: CallResult,
): RunState["unresolved"] {
  if (status === "unknown" && (call.effect === "opaque" || (call.effect === "keyed" && toldByTool)))
    return [...state.unresolved, { call: call.id, tool: call.tool, turn: state.turn }]
  if (status !== "ok" || call.kind === "submit" || state.unresolved.length === 0) return state.unresolved
  return state.unresolved.filter(({ turn }) => turn >= state.turn)
}

/** The last result of a turn that repeats earlier turns gets a warning for the model. */
export function writeResults(state: RunState, calls: readonly OpenCall[]): Message[] {
  const messages = calls.map(resultMessage)
  const last = messages.at(-1)
  if (last?.role === "tool" && state.repeats.count >= warnRepeats && state.repeats.turn === state.turn)
    messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${repeatWarning(state.repeats.count)}` }
  return messages
}

const resultMessage = (call: OpenCall): Message => ({
  role: "tool",
  call: call.id,
  wire: call.wire,
  tool: call.tool,
  text: call.result!.text,
  ...(call.result!.status !== "ok" && { isError: true as const }),
  ...(call.result!.attachments && { attachments: call.result!.attachments }),
})
