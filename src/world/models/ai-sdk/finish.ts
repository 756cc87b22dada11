import type { ModelReply } from "../../../agent/model.ts"
import type { Usage } from "../../../ground/message.ts"
import { count, fields, textOf } from "../wire/json.ts"

/** Why an answer ended. */
export interface Finish {
  readonly word: string
  /** The provider's own word. */
  readonly raw: string
  /** Nobody said why it ended, or what was used: versions before 4 end so a stream that was cut. */
  readonly isUnknown: boolean
}

export function finishFrom({ finishReason, usage }: Record<string, unknown>): Finish {
  const word = typeof finishReason === "string" ? finishReason : textOf(fields(finishReason).unified)
  const raw = textOf(fields(finishReason).raw)
  const isUncounted = tokensFrom(fields(usage).inputTokens, "total") === undefined
  return { word, raw, isUnknown: ["other", "unknown", ""].includes(word) && raw === "" && isUncounted }
}

/** Version 2 gives numbers, later ones numbers by kind. */
const tokensFrom = (value: unknown, kind: string): number | undefined =>
  count(typeof value === "number" ? value : fields(value)[kind])

export function usageFrom(given: unknown): Usage {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens } = fields(given)
  const read = tokensFrom(inputTokens, "total")
  const written = tokensFrom(outputTokens, "total")
  const cached = count(fields(inputTokens).cacheRead) ?? count(cachedInputTokens)
  const reasoning = count(fields(outputTokens).reasoning) ?? count(reasoningTokens)
  return {
    ...(read !== undefined && { inputTokens: read }),
    // In version 2 some leave out what was thought, which is in the total alone.
    ...(written !== undefined && {
      outputTokens: Math.max(written, (count(totalTokens) ?? 0) - (read ?? 0)),
    }),
    // 0 is what the AI SDK makes of nothing.
    ...(cached && { cachedTokens: cached }),
    ...(reasoning && { reasoningTokens: reasoning }),
  }
}

export function stopFrom(finish: Finish | undefined, calls: number): ModelReply["stop"] {
  // A package takes every reason that it does not know for calls, where there are any.
  if (finish?.word === "tool-calls" && !callWords.test(finish.raw)) return "other"
  switch (finish?.word) {
    case "stop":
      return calls > 0 ? "calls" : "end"
    case "tool-calls":
      return calls > 0 ? "calls" : "other"
    case "length":
      return "length"
    case "content-filter":
      return "filter"
    default:
      return "other"
  }
}

const callWords = /^(|stop|completed?|tool[-_ ]?(calls?|use)|function[-_ ]?call)$/i
