import type { SamplingBounds, SamplingMessage, SamplingReply, SamplingRequest } from "../../agent/sampling.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"

/** The words of a server's request for a model, and what the user allows. */
export type SamplingWords = Omit<SamplingRequest, "lasts" | "state">

/**
 * Reads a server's request for a reply of the model. Its wishes for a model, a temperature and other context are ignored,
 * as the protocol lets a client do.
 */
export function readSampling(
  server: string,
  { messages, systemPrompt, maxTokens, stopSequences, tools, toolChoice }: JsonMap,
  allowed: SamplingBounds,
): { readonly words: SamplingWords } | { readonly problem: string } {
  if ((Array.isArray(tools) && tools.length > 0) || isMap(toolChoice ?? null))
    return { problem: "the model gets no tools for a server: ask without `tools`" }
  if (systemPrompt !== undefined && typeof systemPrompt !== "string")
    return { problem: "its `systemPrompt` is no text" }
  if (typeof maxTokens !== "number" || !(maxTokens >= 1))
    return { problem: "its `maxTokens` is no positive number" }
  if (!Array.isArray(messages) || messages.length === 0) return { problem: "it has no `messages`" }
  const read: SamplingMessage[] = []
  for (const message of messages) {
    const text = isMap(message) ? textOf(message.content ?? null) : undefined
    if (!isMap(message) || (message.role !== "user" && message.role !== "assistant") || text === undefined)
      return { problem: "a message is no text of `user` or `assistant`, which is all that the model gets" }
    read.push({ role: message.role, text })
  }
  const stops = Array.isArray(stopSequences) ? stopSequences.filter(isStop) : []
  const words: SamplingWords = {
    from: `the MCP server ${server}`,
    ...(systemPrompt !== undefined && { system: systemPrompt.toWellFormed() }),
    messages: read,
    maxTokens: Math.floor(maxTokens),
    ...(stops.length > 0 && { stopSequences: stops }),
    allowed,
  }
  return Buffer.byteLength(JSON.stringify(words)) > mostBytes
    ? { problem: `it is longer than ${mostBytes / 1_024} KB` }
    : { words }
}

/** The reply in the words of the protocol. */
export const formatSamplingResult = ({
  text,
  model,
  stop,
}: Extract<SamplingReply, { type: "reply" }>): JsonMap => ({
  role: "assistant",
  content: { type: "text", text },
  model,
  stopReason: { end: "endTurn", length: "maxTokens", sequence: "stopSequence" }[stop],
})

const mostBytes = 262_144

const isStop = (value: Json): value is string => typeof value === "string" && value !== ""

/** One part or a list of parts, all of them texts. */
function textOf(content: Json): string | undefined {
  const parts = Array.isArray(content) ? content : [content]
  const texts = parts.map((part) =>
    isMap(part) && part.type === "text" && typeof part.text === "string" ? part.text : undefined,
  )
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join("\n").toWellFormed()
}
