import type { TokenPrices } from "../model.ts"

/** What is known of a model. Prices are US dollars for a million tokens. */
export interface ModelFacts {
  readonly price?: TokenPrices
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** The longest reply, in tokens. */
  readonly longestReply?: number
  /** What tokens cost in a request with more input than `above`: all of them, not only those beyond. */
  readonly longPrompts?: { readonly above: number; readonly input: number; readonly output: number }
}

/**
 * The facts about a provider's model. Undefined: nobody told us, and then its cost is unknown and never taken for
 * zero. What runs on a machine of your own is not in here either: electricity has no list price. An id with a date
 * has the facts of the one without.
 */
export function factsOf(provider: string, model: string): ModelFacts | undefined {
  const table = tables.get(provider) ?? new Map(rowsOf(provider))
  tables.set(provider, table)
  return table.get(model) ?? table.get(model.replace(/-(?:\d{8}|\d{4}-\d\d-\d\d)$/, ""))
}

const tables = new Map<string, ReadonlyMap<string, ModelFacts>>()

function rowsOf(provider: string): readonly (readonly [string, ModelFacts])[] {
  if (!Object.hasOwn(rows, provider)) return []
  return rows[provider]!.trim()
    .split("\n")
    .map((row) => {
      const [id, input, output, cacheRead, cacheWrite, window, longestReply, long] = row.trim().split(" ")
      const [above, longInput, longOutput] = (long ?? "").split(":").map(Number)
      return [
        id!,
        {
          price: {
            input: Number(input),
            output: Number(output),
            ...(cacheRead !== "-" && { cacheRead: Number(cacheRead) }),
            ...(cacheWrite !== "-" && { cacheWrite: Number(cacheWrite) }),
          },
          window: Number(window),
          longestReply: Number(longestReply),
          ...(long && { longPrompts: { above: above!, input: longInput!, output: longOutput! } }),
        },
      ] as const
    })
}

/** When the sources were last compared with the table. */
export const pricesDate = "2026-11-15"

/**
 * By provider: id, dollars for a million tokens of input, output, read from the cache and written to it, the window,
 * the longest reply, and where long prompts cost more `above:input:output`. From the table of models in
 * `@earendil-works/pi-ai` 1.5.0 (2026-11-02), which is made from models.dev; Claude's compared with
 * platform.claude.com/docs/en/about-claude/pricing, which also has the Mythos models. Where that table ends a window
 * at the price of long prompts (272000), so does this one. Google's page says that Gemini 3.6 to 3.8 Flash cost this
 * until the end of 2026, and then twice as much.
 */
const rows: Readonly<Record<string, string>> = {
  anthropic: `
    claude-fable-5 10 50 1 12.5 1000000 128000
    claude-fable-5-1 10 50 0.25 12.5 1000000 128000
    claude-haiku-4-5 1 5 0.1 1.25 200000 64000
    claude-haiku-5-5 0.1 0.5 0.01 0.125 1000000 128000 100000:0.5:2.5
    claude-opus-4-5 5 25 0.5 6.25 200000 64000
    claude-opus-4-6 5 25 0.5 6.25 1000000 128000
    claude-opus-4-7 5 25 0.5 6.25 1000000 128000
    claude-opus-4-8 5 25 0.5 6.25 1000000 128000
    claude-opus-5 5 25 0.5 6.25 1000000 128000
    claude-opus-5-5 4 20 0.2 5 1000000 128000
    claude-sonnet-4-5 3 15 0.3 3.75 200000 64000
    claude-sonnet-4-6 3 15 0.3 3.75 1000000 128000
    claude-sonnet-5 2 10 0.2 2.5 1000000 128000
    claude-sonnet-5-5 2 10 0.1 2.5 1000000 128000
    claude-mythos-5 10 50 1 12.5 1000000 128000
    claude-mythos-5-1 10 50 0.25 12.5 1000000 128000`,
  openai: `
    chat-latest 5 30 0.5 - 400000 128000
    gpt-4 30 60 - - 8192 8192
    gpt-4-turbo 10 30 - - 128000 4096
    gpt-4.1 2 8 0.5 - 1047576 32768
    gpt-4.1-mini 0.4 1.6 0.1 - 1047576 32768
    gpt-4.1-nano 0.1 0.4 0.025 - 1047576 32768
    gpt-4o 2.5 10 1.25 - 128000 16384
    gpt-4o-2024-05-13 5 15 - - 128000 4096
    gpt-4o-mini 0.15 0.6 0.075 - 128000 16384
    gpt-5 1.25 10 0.125 - 400000 128000
    gpt-5-chat-latest 1.25 10 0.125 - 128000 16384
    gpt-5-mini 0.25 2 0.025 - 400000 128000
    gpt-5-nano 0.05 0.4 0.005 - 400000 128000
    gpt-5-pro 15 120 - - 400000 128000
    gpt-5.1 1.25 10 0.125 - 400000 128000
    gpt-5.2 1.75 14 0.175 - 400000 128000
    gpt-5.2-pro 21 168 - - 400000 128000
    gpt-5.3-codex 1.75 14 0.175 - 400000 128000
    gpt-5.3-codex-spark 1.75 14 0.175 - 128000 32000
    gpt-5.4 2.5 15 0.25 - 272000 128000 272000:5:22.5
    gpt-5.4-mini 0.75 4.5 0.075 - 400000 128000
    gpt-5.4-nano 0.2 1.25 0.02 - 400000 128000
    gpt-5.4-pro 30 180 - - 1050000 128000 272000:60:270
    gpt-5.5 5 30 0.5 - 272000 128000 272000:10:45
    gpt-5.5-pro 30 180 - - 1050000 128000 272000:60:270
    gpt-5.6-luna 0.2 1.2 0.02 0.25 272000 128000 272000:0.4:1.8
    gpt-5.6-sol 4 20 0.4 5 272000 128000 272000:8:30
    gpt-5.6-terra 2 12 0.2 2.5 272000 128000 272000:4:18
    gpt-6-astra 10 50 1 12.5 272000 128000 272000:20:75
    gpt-6-luna 0.1 0.5 0.01 0.125 272000 128000 272000:0.2:0.75
    gpt-6-sol 2 10 0.2 2.5 272000 128000 272000:4:15
    gpt-6.1-sol 2 10 0.1 2.5 272000 128000 272000:4:15
    gpt-6.1-terra 1 5 0.05 1.25 272000 128000 272000:2:7.5
    o1 15 60 7.5 - 200000 100000
    o1-pro 150 600 - - 200000 100000
    o3 2 8 0.5 - 200000 100000
    o3-mini 1.1 4.4 0.55 - 200000 100000
    o3-pro 20 80 - - 200000 100000
    o4-mini 1.1 4.4 0.275 - 200000 100000`,
  google: `
    gemini-2.5-flash 0.3 2.5 0.03 - 1048576 65536
    gemini-2.5-flash-lite 0.1 0.4 0.01 - 1048576 65536
    gemini-2.5-pro 1.25 10 0.125 - 1048576 65536 200000:2.5:15
    gemini-3-flash-preview 0.5 3 0.05 - 1048576 65536
    gemini-3.1-flash-lite 0.25 1.5 0.025 - 1048576 65536
    gemini-3.1-flash-lite-preview 0.25 1.5 0.025 - 1048576 65536
    gemini-3.1-pro-preview 2 12 0.2 - 1048576 65536 200000:4:18
    gemini-3.1-pro-preview-customtools 2 12 0.2 - 1048576 65536 200000:4:18
    gemini-3.5-flash 1.5 9 0.15 - 1048576 65536
    gemini-3.5-flash-lite 0.3 2.5 0.03 - 1048576 65536
    gemini-3.6-flash 0.75 3.75 0.075 - 1048576 65536
    gemini-3.7-flash 0.75 3.75 0.075 - 1048576 65536
    gemini-3.8-flash 0.75 3.75 0.075 - 1048576 65536
    gemini-4-argon 2 10 0.1 - 1048576 32768
    gemini-flash-latest 1.5 9 0.15 - 1048576 65536
    gemini-flash-lite-latest 0.25 1.5 0.025 - 1048576 65536
    gemini-pro-latest 2 12 0.2 - 1048576 65536 200000:4:18`,
  xai: `
    grok-4.3 1.25 2.5 0.2 - 1000000 30000 200000:2.5:5
    grok-4.5 2 6 0.3 - 500000 500000 200000:4:12
    grok-4.6 2 6 0.5 - 500000 500000 200000:4:12
    grok-4.7 2 6 0.5 - 500000 500000 200000:4:12`,
  deepseek: `
    deepseek-flash 0.3 1.2 0.006 - 1000000 384000
    deepseek-v4-pro 1.32 3.96 0.044 - 1000000 384000`,
  mistral: `
    codestral-2508 0.3 0.9 0.03 - 256000 8192
    codestral-latest 0.3 0.9 0.03 - 256000 4096
    devstral-2512 0.4 2 0.04 - 262144 262144
    devstral-latest 0.4 2 0.04 - 262144 262144
    devstral-medium-latest 0.4 2 0.04 - 262144 262144
    magistral-medium-latest 2 5 0.2 - 262144 16384
    ministral-14b-2512 0.2 0.2 0.02 - 262144 262144
    ministral-3b-2512 0.1 0.1 0.01 - 131072 262144
    ministral-3b-latest 0.1 0.1 0.01 - 131072 128000
    ministral-8b-2512 0.15 0.15 0.015 - 262144 262144
    ministral-8b-latest 0.15 0.15 0.015 - 262144 128000
    mistral-large-2512 0.5 1.5 0.05 - 262144 262144
    mistral-large-4 0.7 2.1 0.07 - 1048576 262144
    mistral-large-4-0-8 0.7 2.1 0.07 - 1048576 262144
    mistral-large-latest 0.5 1.5 0.05 - 262144 262144
    mistral-medium-2505 0.4 2 0.04 - 131072 131072
    mistral-medium-2508 0.4 2 0.04 - 262144 262144
    mistral-medium-2604 1.5 7.5 0.15 - 262144 262144
    mistral-medium-3.5 1.5 7.5 - - 262144 262144
    mistral-medium-latest 1.5 7.5 0.15 - 262144 262144
    mistral-small-2506 0.1 0.3 0.01 - 128000 16384
    mistral-small-2603 0.15 0.6 0.015 - 262144 256000
    mistral-small-latest 0.15 0.6 0.015 - 262144 256000
    open-mistral-nemo 0.15 0.15 0.015 - 128000 128000
    pixtral-12b 0.15 0.15 0.015 - 128000 128000
    voxtral-small-2507 0.1 0.4 0.01 - 32768 32000
    voxtral-small-latest 0.1 0.4 0.01 - 32768 32000`,
  moonshotai: `
    kimi-k2.6 0.95 4 0.16 - 262144 262144
    kimi-k2.7-code 0.95 4 0.19 - 262144 262144
    kimi-k2.7-code-highspeed 1.9 8 0.38 - 262144 262144
    kimi-k3 3 15 0.3 - 1048576 1048576
    kimi-k3.1-pro 2 10 0.2 - 1048576 1048576
    kimi-k3.1-pro-highspeed 4 20 0.2 - 1048576 1048576`,
  zai: `
    glm-4.7 0.6 2.2 0.11 - 204800 131072
    glm-5-turbo 1.2 4 0.24 - 200000 131072
    glm-5.2 1.4 4.4 0.26 - 1000000 131072
    glm-5.3 1.4 4.4 0.26 - 1000000 131072
    glm-5.3-flash 0.15 0.5 0.03 - 1000000 131072`,
  groq: `
    llama-3.1-8b-instant 0.05 0.08 - - 131072 131072
    llama-3.3-70b-versatile 0.59 0.79 - - 131072 32768
    openai/gpt-oss-120b 0.15 0.6 0.075 - 131072 65536
    openai/gpt-oss-20b 0.075 0.3 0.0375 - 131072 65536
    openai/gpt-oss-safeguard-20b 0.075 0.3 0.0375 - 131072 65536
    qwen/qwen3.6-27b 0.6 3 0.3 - 131072 16384
    qwen/qwen3.8-27b 0.8 4 - - 131072 16384`,
  cerebras: `
    gpt-oss-120b 0.35 0.75 0.35 - 131072 40960
    qwen-3.8-27b 0.99 1.49 0.99 - 131072 40960`,
}
