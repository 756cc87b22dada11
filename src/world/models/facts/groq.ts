import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const groqTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      llama-3.1-8b-instant 0.05 0.08 - - 131072 131072
      llama-3.3-70b-versatile 0.59 0.79 - - 131072 32768
      openai/gpt-oss-120b 0.15 0.6 0.075 - 131072 65536
      openai/gpt-oss-20b 0.075 0.3 0.0375 - 131072 65536
      openai/gpt-oss-safeguard-20b 0.075 0.3 0.0375 - 131072 65536
      qwen/qwen3.6-27b 0.6 3 0.3 - 131072 16384
      qwen/qwen3.8-27b 0.8 4 - - 131072 16384`,
  },
  traits: [
    {
      models: "qwen/qwen3.6-27b qwen/qwen3.8-27b",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "llama-3.1-8b-instant llama-3.3-70b-versatile openai/gpt-oss-120b openai/gpt-oss-20b openai/gpt-oss-safeguard-20b",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "llama-3.1-8b-instant llama-3.3-70b-versatile",
      efforts: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "openai/gpt-oss-120b openai/gpt-oss-20b openai/gpt-oss-safeguard-20b",
      efforts: ["low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "qwen/qwen3.6-27b",
      efforts: ["none", "default"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "qwen/qwen3.8-27b",
      efforts: ["none", "low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
