import type { Usage } from "../../../../ground/message.ts"
import { count, fields } from "../json.ts"

/** Tokens as servers of chat completions tell them. What they do not tell is left out. */
export function usageFrom(given: unknown): Usage {
  const usage = fields(given)
  const input = count(usage.prompt_tokens)
  const written = count(usage.completion_tokens)
  const total = count(usage.total_tokens)
  const cached = [
    fields(usage.prompt_tokens_details).cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.num_cached_tokens,
    usage.cached_tokens,
  ].map(count)
  const reasoning =
    count(fields(usage.completion_tokens_details).reasoning_tokens) ?? count(usage.reasoning_tokens)
  const output = writtenTokens(input, written, total, reasoning)
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
    ...named(
      "cachedTokens",
      cached.find((amount) => amount !== undefined),
    ),
    ...named("reasoningTokens", reasoning),
  }
}

/** All that was written, with what was thought: some count that in the total alone, others nowhere else. */
export function writtenTokens(
  input: number | undefined,
  written: number | undefined,
  total: number | undefined,
  reasoning: number | undefined,
): number | undefined {
  const counted = input === undefined || total === undefined ? written : Math.max(written ?? 0, total - input)
  // What was thought is a part of what was written: where it is more, it was left out.
  return counted !== undefined && reasoning !== undefined && reasoning > counted
    ? counted + reasoning
    : counted
}

const named = (name: "cachedTokens" | "reasoningTokens", amount: number | undefined): Usage =>
  amount === undefined ? {} : { [name]: amount }
