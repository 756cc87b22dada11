import type { Evidence } from "../../agent/tool.ts"
import type { Message } from "../../ground/message.ts"
import type { CallResult } from "../log/event.ts"
import type { OpenCall } from "../state/open-call.ts"
import { warnRepeats } from "../state/repeats.ts"
import type { RunState } from "../state/state.ts"
import { repeatWarning } from "../words/prompt.ts"

/** Several that are wrong in one turn are one mistake: the model has read nothing in between. */
export function handIn(
  { rejected, turn }: RunState,
  { arguments: text }: OpenCall,
  { status, text: problem }: CallResult,
): Pick<RunState, "submitted" | "rejected"> {
  if (status === "ok") return { submitted: JSON.parse(text), rejected: undefined }
  if (status !== "error") return {}
  const count = (rejected?.count ?? 0) + (rejected?.turn === turn ? 0 : 1)
  return { rejected: { turn, count, text, problem } }
}

/** What a file was when it was last looked at. */
export function see(seen: RunState["seen"], { read = [], files = [] }: Evidence): RunState["seen"] {
  return seen.with([...read, ...files].map(({ path, hash }) => [path, hash]))
}

/** A later turn that worked is taken as having looked; handing in a result is not looking. */
export function stillUnresolved(
  state: RunState,
  call: OpenCall,
  { status }: CallResult,
): RunState["unresolved"] {
  if (status === "unknown" && call.effect === "opaque")
    return [...state.unresolved, { call: call.id, tool: call.tool, turn: state.turn }]
  if (status !== "ok" || call.kind === "submit" || state.unresolved.length === 0) return state.unresolved
  return state.unresolved.filter(({ turn }) => turn >= state.turn)
}

/** A turn that repeats itself is told so in the last result it gets. */
export function results(state: RunState, calls: readonly OpenCall[]): Message[] {
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
