import type { TokenUsage } from "../../../../ground/message.ts"
import { readCount, readFields } from "../json.ts"

/** Reads the usage that a chat-completions server reports. Missing numbers stay unknown. */
export function readChatUsage(report: unknown): TokenUsage {
  const usage = readFields(report)
  const input = readCount(usage.prompt_tokens)
  const completion = readCount(usage.completion_tokens)
  const total = readCount(usage.total_tokens)
  const cached = [
    readFields(usage.prompt_tokens_details).cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.num_cached_tokens,
    usage.cached_tokens,
  ].map(readCount)
  const reasoning =
    readCount(readFields(usage.completion_tokens_details).reasoning_tokens) ??
    readCount(usage.reasoning_tokens)
  const output = countOutputTokens(input, completion, total, reasoning)
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...optionalCount(
      "cachedTokens",
      cached.find((amount) => amount !== undefined),
    ),
    ...optionalCount("reasoningTokens", reasoning),
  }
}

/** All output tokens, including reasoning. Some servers count reasoning only in the total, others only separately. */
export function countOutputTokens(
  input: number | undefined,
  completion: number | undefined,
  total: number | undefined,
  reasoning: number | undefined,
): number | undefined {
  const counted =
    input === undefined || total === undefined ? completion : Math.max(completion ?? 0, total - input)
  // Reasoning is part of the output. If it is larger than the output, the server did not include it.
  return counted !== undefined && reasoning !== undefined && reasoning > counted
    ? counted + reasoning
    : counted
}

const optionalCount = (name: "cachedTokens" | "reasoningTokens", amount: number | undefined): TokenUsage =>
  amount === undefined ? {} : { [name]: amount }
