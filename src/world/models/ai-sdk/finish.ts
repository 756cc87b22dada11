import type { ModelReply } from "../../../agent/model.ts"
import type { TokenUsage } from "../../../ground/message.ts"
import { readCount, readFields, toStringOrEmpty } from "../wire/json.ts"

/** The reason why an answer ended. */
export interface Finish {
  readonly word: string
  /** The provider's own word for the reason. */
  readonly raw: string
  /** Neither a reason nor the usage is known. Versions before 4 end a cut stream like this. */
  readonly isUnknown: boolean
}

export function readFinish({ finishReason, usage }: Record<string, unknown>): Finish {
  const word =
    typeof finishReason === "string" ? finishReason : toStringOrEmpty(readFields(finishReason).unified)
  const raw = toStringOrEmpty(readFields(finishReason).raw)
  const isUncounted = tokensFrom(readFields(usage).inputTokens, "total") === undefined
  return { word, raw, isUnknown: ["other", "unknown", ""].includes(word) && raw === "" && isUncounted }
}

/** Reads a number of tokens. Version 2 sends numbers, later versions send numbers by kind. */
const tokensFrom = (value: unknown, kind: string): number | undefined =>
  readCount(typeof value === "number" ? value : readFields(value)[kind])

export function readAiSdkUsage(report: unknown): TokenUsage {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens } = readFields(report)
  const input = tokensFrom(inputTokens, "total")
  const output = tokensFrom(outputTokens, "total")
  const cached = readCount(readFields(inputTokens).cacheRead) ?? readCount(cachedInputTokens)
  const reasoning = readCount(readFields(outputTokens).reasoning) ?? readCount(reasoningTokens)
  return {
    ...(input !== undefined && { inputTokens: input }),
    // In version 2 some packages count reasoning only in the total.
    ...(output !== undefined && {
      outputTokens: Math.max(output, (readCount(totalTokens) ?? 0) - (input ?? 0)),
    }),
    // The AI SDK reports a missing number as 0.
    ...(cached && { cachedTokens: cached }),
    ...(reasoning && { reasoningTokens: reasoning }),
  }
}

export function readAiSdkStop(finish: Finish | undefined, calls: number): ModelReply["stop"] {
  // If there are calls, a package reports every unknown reason as `tool-calls`.
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
