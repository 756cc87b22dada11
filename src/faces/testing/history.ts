import type { Message } from "../../ground/message.ts"

/**
 * What is wrong with a history, as a strict provider would see it: every call has exactly one result, right after
 * the message that asked for it; no result without a call; no id twice. An empty list means it is well formed.
 */
export function checkHistory(messages: Iterable<Message>): readonly string[] {
  const problems: string[] = []
  const used = new Set<string>()
  let open = new Map<string, string>()
  let index = -1
  for (const message of messages) {
    index++
    const at = `message ${index} (${message.role})`
    if (message.role !== "tool" && open.size > 0)
      problems.push(`${at}: calls without a result: ${[...open.values()].join(", ")}`)
    if (message.role !== "tool") open = new Map()
    if (index === 0 && message.role !== "user") problems.push(`${at}: a history begins with the user`)
    if (!message.text.isWellFormed()) problems.push(`${at}: text is not valid Unicode`)
    if (message.role === "user" && message.text === "") problems.push(`${at}: empty`)
    if (message.role === "assistant") {
      if (message.text.trim() === "" && message.calls.length === 0)
        problems.push(`${at}: neither text nor calls`)
      for (const call of message.calls) {
        if (call.wire === "" || used.has(call.wire))
          problems.push(`${at}: call id ${JSON.stringify(call.wire)} is empty or used before`)
        used.add(call.wire)
        open.set(call.wire, call.tool)
      }
    }
    if (message.role === "tool" && !open.delete(message.wire))
      problems.push(`${at}: a result for ${JSON.stringify(message.wire)}, which was not asked for or has one`)
  }
  return problems
}
