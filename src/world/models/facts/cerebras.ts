import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const cerebrasTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      gpt-oss-120b 0.35 0.75 0.35 - 131072 40960
      qwen-3.8-27b 0.99 1.49 0.99 - 131072 40960`,
  },
  traits: [
    {
      models: "qwen-3.8-27b",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-oss-120b",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "gpt-oss-120b",
      efforts: ["low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "qwen-3.8-27b",
      efforts: ["none", "low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
