import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const deepseekTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      deepseek-flash 0.3 1.2 0.006 - 1000000 384000
      deepseek-v4-pro 1.32 3.96 0.044 - 1000000 384000`,
  },
  traits: [
    {
      models: "deepseek-flash",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "deepseek-v4-pro",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "deepseek-flash",
      efforts: ["low", "high", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "deepseek-v4-pro",
      efforts: ["high", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
