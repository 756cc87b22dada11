import type { ListedFacts, ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

const refused = ["temperature", "top_p", "top_k", "thinking.budget_tokens"]
const adaptive =
  "platform.claude.com/docs/en/build-with-claude/effort and extended-thinking, as of 2026-08-22"

const sampling = {
  refusesWhileThinking: ["temperature", "top_k", "top_p"],
  source:
    "platform.claude.com/docs/en/build-with-claude/extended-thinking, by github.com/LostRuins/lite.koboldai.net/issues/108 and github.com/dotCipher/opencode-claude-bridge/pull/1",
  read: "2026-11-16",
}

const oneSampling = {
  oneOf: ["temperature", "top_p"],
  source: "github.com/cloud-apim/otoroshi-llm-extension/issues/140, which quotes Anthropic's refusal",
  read: "2026-11-16",
}

/** Facts for Claude models that the table does not name. Their requests follow the same rules. */
export const claudeFacts: ListedFacts = {
  refusesWhileThinking: sampling.refusesWhileThinking,
  oneOf: oneSampling.oneOf,
  sources: {
    refusesWhileThinking: `${sampling.source} (read ${sampling.read})`,
    oneOf: `${oneSampling.source} (read ${oneSampling.read})`,
  },
}

export const anthropicTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source:
      "@earendil-works/pi-ai 1.5.0 (2026-11-02), compared with platform.claude.com/docs/en/about-claude/pricing",
    read: "2026-11-15",
    rows: `
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
  },
  traits: [
    {
      models:
        "claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-opus-5-5 claude-sonnet-5 claude-sonnet-5-5 claude-haiku-5-5 claude-fable-5 claude-fable-5-1 claude-mythos-5 claude-mythos-5-1",
      refuses: refused,
      source:
        "platform.claude.com/docs/en/about-claude/model-deprecations and build-with-claude/extended-thinking, as of 2026-08-22",
      read: "2026-11-16",
    },
    {
      models: "claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-sonnet-5 claude-fable-5 claude-mythos-5",
      efforts: ["low", "medium", "high", "xhigh", "max"],
      source: adaptive,
      read: "2026-11-16",
    },
    {
      models: "claude-opus-5-5 claude-sonnet-5-5 claude-haiku-5-5",
      efforts: ["low", "medium", "high", "xhigh", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "claude-opus-4-6 claude-sonnet-4-6",
      efforts: ["low", "medium", "high", "max"],
      source: adaptive,
      read: "2026-11-16",
    },
    {
      models: "claude-opus-4-5",
      efforts: ["low", "medium", "high"],
      source: adaptive,
      read: "2026-11-16",
    },
    {
      models: "claude-opus-4-5 claude-opus-4-6 claude-sonnet-4-5 claude-sonnet-4-6 claude-haiku-4-5",
      ...sampling,
    },
    {
      models: "claude-opus-4-5 claude-opus-4-6 claude-sonnet-4-5 claude-sonnet-4-6 claude-haiku-4-5",
      ...oneSampling,
    },
    {
      // These models accept only thinking budgets.
      models: "claude-sonnet-4-5 claude-haiku-4-5",
      efforts: [],
      source: adaptive,
      read: "2026-11-16",
    },
    {
      models:
        "claude-opus-4-5 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-opus-5-5 claude-sonnet-4-5 claude-sonnet-4-6 claude-sonnet-5 claude-sonnet-5-5 claude-haiku-4-5 claude-haiku-5-5 claude-fable-5 claude-fable-5-1",
      sees: ["image", "pdf"],
      source:
        "@earendil-works/pi-ai 1.5.0 (2026-11-02) and platform.claude.com/docs/en/build-with-claude/pdf-support, as of 2026-08-22",
      read: "2026-11-16",
    },
  ],
  retired: [
    {
      source: "platform.claude.com/docs/en/about-claude/model-deprecations, as of 2026-08-22",
      read: "2026-11-16",
      rows: `
        claude-opus-4-1-20250805 2026-08-05 claude-opus-4-8
        claude-opus-4-1 2026-08-05 claude-opus-4-8
        claude-opus-4-20250514 2026-06-15 claude-opus-4-8
        claude-opus-4-0 2026-06-15 claude-opus-4-8
        claude-sonnet-4-20250514 2026-06-15 claude-sonnet-4-6
        claude-sonnet-4-0 2026-06-15 claude-sonnet-4-6
        claude-3-haiku-20240307 2026-04-20 claude-haiku-4-5-20251001
        claude-3-5-haiku-20241022 2026-02-19 claude-haiku-4-5-20251001
        claude-3-5-haiku-latest 2026-02-19 claude-haiku-4-5-20251001
        claude-3-7-sonnet-20250219 2026-02-19 claude-sonnet-4-6
        claude-3-7-sonnet-latest 2026-02-19 claude-sonnet-4-6
        claude-3-5-sonnet-20240620 2025-10-28 claude-sonnet-4-6
        claude-3-5-sonnet-20241022 2025-10-28 claude-sonnet-4-6
        claude-3-5-sonnet-latest 2025-10-28 claude-sonnet-4-6
        claude-3-opus-20240229 2026-01-05 claude-opus-4-8
        claude-3-opus-latest 2026-01-05 claude-opus-4-8
        claude-3-sonnet-20240229 2025-07-21 claude-sonnet-4-6
        claude-2.0 2025-07-21 claude-opus-4-8
        claude-2.1 2025-07-21 claude-opus-4-8
        claude-instant-1.2 2024-11-06 claude-haiku-4-5-20251001`,
    },
    {
      source: "@anthropic-ai/sdk 1.8.0 and platform.claude.com/docs/en/models/sonnet-4-5/overview",
      read: "2026-11-16",
      rows: `
        claude-sonnet-4-5 2026-11-30 claude-sonnet-5-5`,
    },
  ],
}
