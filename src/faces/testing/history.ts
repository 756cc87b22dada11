import type { Message } from "../../ground/message.ts"

/**
 * Finds the problems that a strict provider would have with a history. Every call needs exactly one result, right after
 * the message with the call. A result needs a call, and no id may come twice. An empty list means no problems.
 *
 * @example
 * ```ts
 * import { checkHistory } from "cadre/testing"
 *
 * const problems = checkHistory([
 *   { role: "user", text: "Count the apples." },
 *   { role: "assistant", text: "", calls: [{ id: "1", wire: "call_1", tool: "count", arguments: "{}" }] },
 * ])
 * console.log(problems)
 * ```
 */
export function checkHistory(messages: Iterable<Message>): readonly string[] {
  const problems: string[] = []
  const usedIds = new Set<string>()
  let open = new Map<string, string>()
  let index = -1
  for (const message of messages) {
    index++
    const at = `message ${index} (${message.role})`
    if (message.role !== "tool" && open.size > 0)
      problems.push(`${at}: calls without a result: ${[...open.values()].join(", ")}`)
    if (message.role !== "tool") open = new Map()
    if (index === 0 && message.role !== "user")
      problems.push(`${at}: the first message of a history must have the role user`)
    if (!message.text.isWellFormed()) problems.push(`${at}: text is not valid Unicode`)
    if (message.role === "user" && message.text === "") problems.push(`${at}: empty`)
    if (message.role === "assistant") {
      if (message.text.trim() === "" && message.calls.length === 0)
        problems.push(`${at}: neither text nor calls`)
      for (const call of message.calls) {
        if (call.wire === "" || usedIds.has(call.wire))
          problems.push(`${at}: call id ${JSON.stringify(call.wire)} is empty or used before`)
        usedIds.add(call.wire)
        open.set(call.wire, call.tool)
      }
    }
    if (message.role === "tool" && !open.delete(message.wire))
      problems.push(`${at}: a result for ${JSON.stringify(message.wire)}, which is no open call`)
  }
  return problems
}
