import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

const sdk = "the catalogue of @ai-sdk/openai 4.0.114"
const penalties = ["presence_penalty", "frequency_penalty", "logit_bias"]
const sampling = ["temperature", "top_p", "logprobs", "top_logprobs"]

/**
 * Where the catalogue ends a window at the price of long prompts (272000), this table does, too. `gpt-5.6` is an alias
 * of `gpt-5.6-sol` (developers.openai.com/api/docs/models/gpt-5.6-sol, read 2026-11-18), so its rows are the same.
 */
export const openaiTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
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
      gpt-5.6 4 20 0.4 5 272000 128000 272000:8:30
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
  },
  traits: [
    {
      models:
        "gpt-4 gpt-4-turbo gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-mini gpt-5 gpt-5-mini gpt-5-nano gpt-5-chat-latest gpt-5.1 gpt-5.2 o1 o3 o3-mini o4-mini",
      protocol: "chat",
      source: "the type ChatModel of openai 7.53.0",
      read: "2026-11-16",
    },
    {
      // Chat completions refuses function tools with an effort; from 5.6 on, also without one.
      models:
        "gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.5 gpt-5.6 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-astra gpt-6-luna gpt-6-sol gpt-6.1-sol gpt-6.1-terra",
      protocol: "responses",
      source:
        "github.com/openai/openai-openapi/issues/541 and github.com/BerriAI/litellm/pull/34569; pi-ai 1.5.0 asks them so",
      read: "2026-11-16",
    },
    {
      // These models are not served over chat completions at all.
      models:
        "gpt-5-pro gpt-5.2-pro gpt-5.4-pro gpt-5.5-pro o1-pro o3-pro gpt-5.3-codex gpt-5.3-codex-spark gpt-5-codex gpt-5.1-codex gpt-5.1-codex-max gpt-5.1-codex-mini gpt-5.2-codex",
      protocol: "responses",
      source: "the types ChatModel and ResponsesModel of openai 7.53.0; pi-ai 1.5.0 asks them so",
      read: "2026-11-16",
    },
    {
      models:
        "gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro o1 o1-pro o3 o3-mini o3-pro o4-mini gpt-6-astra gpt-6.1-sol",
      refuses: [...sampling, ...penalties],
      source: sdk,
      read: "2026-11-16",
    },
    {
      models:
        "gpt-5.1 gpt-5.2 gpt-5.2-pro gpt-5.3-codex gpt-5.3-codex-spark gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.5 gpt-5.5-pro gpt-5.6 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-luna gpt-6-sol gpt-6.1-terra",
      refuses: penalties,
      refusesWhileReasoning: sampling,
      source: sdk,
      read: "2026-11-16",
    },
    {
      models:
        "gpt-4 gpt-4-turbo gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-mini gpt-5-chat-latest",
      efforts: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5 gpt-5-mini gpt-5-nano",
      efforts: ["minimal", "low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5-pro",
      efforts: ["high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.1",
      efforts: ["none", "low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.2 gpt-5.3-codex gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.5",
      efforts: ["none", "low", "medium", "high", "xhigh"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.2-pro gpt-5.4-pro gpt-5.5-pro",
      efforts: ["medium", "high", "xhigh"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.3-codex-spark",
      efforts: ["low", "medium", "high", "xhigh"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-luna gpt-6-sol gpt-6.1-terra",
      efforts: ["none", "low", "medium", "high", "xhigh", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-5.6",
      efforts: ["none", "low", "medium", "high", "xhigh", "max"],
      source: sdk,
      read: "2026-11-16",
    },
    {
      models: "gpt-6-astra gpt-6.1-sol",
      efforts: ["low", "medium", "high", "xhigh", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "o1 o1-pro o3 o3-mini o3-pro o4-mini",
      efforts: ["low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-4 o3-mini",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-4-turbo",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      // From GPT-4o on, models that see images also read PDFs.
      models:
        "chat-latest gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-mini gpt-5 gpt-5-chat-latest gpt-5-mini gpt-5-nano gpt-5-pro gpt-5.1 gpt-5.2 gpt-5.2-pro gpt-5.3-codex gpt-5.3-codex-spark gpt-5.4 gpt-5.4-mini gpt-5.4-nano gpt-5.4-pro gpt-5.5 gpt-5.5-pro gpt-5.6 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-astra gpt-6-luna gpt-6-sol gpt-6.1-sol gpt-6.1-terra o1 o1-pro o3 o3-pro o4-mini",
      sees: ["image", "pdf"],
      source:
        "@earendil-works/pi-ai 1.5.0 (2026-11-02) and developers.openai.com/api/docs/guides/file-inputs",
      read: "2026-11-16",
    },
  ],
  retired: [
    {
      source:
        "developers.openai.com/api/docs/deprecations, as copied at dev.to/max_bob (2026-10-28) and dev.to/importstatic (2026-10-15)",
      read: "2026-11-16",
      rows: `
        gpt-3.5-turbo 2026-10-23 gpt-5.6-terra
        gpt-3.5-turbo-0125 2026-10-23 gpt-5.6-terra
        gpt-4 2026-10-23 gpt-5.6-sol
        gpt-4-0613 2026-10-23 gpt-5.6-sol
        gpt-4-1106-preview 2026-10-23 gpt-5.6-sol
        gpt-4-turbo 2026-10-23 gpt-5.6-sol
        gpt-4o-2024-05-13 2026-10-23 gpt-5.6-sol
        o1 2026-10-23 gpt-5.6-sol
        o1-pro 2026-10-23 gpt-5.6-sol
        o3-mini 2026-10-23 gpt-5.6-sol
        o4-mini 2026-10-23 gpt-5.6-terra
        gpt-4.1-nano 2026-10-23 gpt-5.6-luna
        gpt-5 2026-12-11 gpt-5.6-sol
        gpt-5-mini 2026-12-11 gpt-5.6-terra
        gpt-5-nano 2026-12-11 gpt-5.6-luna
        gpt-5-pro 2026-12-11 gpt-5.6-sol
        o3 2026-12-11 gpt-5.6-sol
        o3-pro 2026-12-11 gpt-5.6-sol
        gpt-4o 2027-01-14 gpt-6-luna
        gpt-4o-mini 2027-01-14 gpt-6-luna
        gpt-4.1 2027-01-14 gpt-6-luna
        gpt-4.1-mini 2027-01-14 gpt-6-luna
        gpt-5.1 2027-04-01
        gpt-5.3-codex 2027-04-01
        gpt-5.4-nano 2027-04-01`,
    },
    {
      source:
        "developers.openai.com/api/docs/deprecations, as followed in github.com/anomalyco/models.dev/pull/3707",
      read: "2026-11-16",
      rows: `
        gpt-5-chat-latest 2026-07-23 gpt-5.6-sol
        gpt-5.1-chat-latest 2026-07-23 gpt-5.6-sol
        gpt-5-codex 2026-07-23 gpt-5.6-sol
        gpt-5.1-codex 2026-07-23 gpt-5.6-sol
        gpt-5.1-codex-max 2026-07-23 gpt-5.6-sol
        gpt-5.1-codex-mini 2026-07-23 gpt-5.6-terra
        gpt-5.2-codex 2026-07-23 gpt-5.6-sol
        o3-deep-research 2026-07-23 gpt-5.6-sol
        o4-mini-deep-research 2026-07-23 gpt-5.6-sol`,
    },
    {
      source: "developers.openai.com/api/docs/deprecations, as copied at spybara.com and archive.li/3RThE",
      read: "2026-11-16",
      rows: `
        gpt-5.2-chat-latest 2026-08-10 gpt-5.5
        gpt-5.3-chat-latest 2026-08-10 gpt-5.5
        chatgpt-4o-latest 2026-02-17 gpt-5.1-chat-latest
        codex-mini-latest 2026-01-16`,
    },
    {
      source:
        "developers.openai.com/api/docs/deprecations, as followed in github.com/promptfoo/promptfoo/pull/5005 and github.com/danny-avila/LibreChat/pull/10085",
      read: "2026-11-16",
      rows: `
        gpt-4.5-preview 2025-07-14 gpt-4.1
        o1-preview 2025-07-28 o3
        o1-mini 2025-10-27 o4-mini`,
    },
  ],
}
