import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const moonshotaiTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      kimi-k2.6 0.95 4 0.16 - 262144 262144
      kimi-k2.7-code 0.95 4 0.19 - 262144 262144
      kimi-k2.7-code-highspeed 1.9 8 0.38 - 262144 262144
      kimi-k3 3 15 0.3 - 1048576 1048576
      kimi-k3.1-pro 2 10 0.2 - 1048576 1048576
      kimi-k3.1-pro-highspeed 4 20 0.2 - 1048576 1048576`,
  },
  traits: [
    {
      models:
        "kimi-k2.6 kimi-k2.7-code kimi-k2.7-code-highspeed kimi-k3 kimi-k3.1-pro kimi-k3.1-pro-highspeed",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      // "invalid temperature: only 1 is allowed for this model"
      models: "kimi-k3 kimi-k3.1-pro kimi-k3.1-pro-highspeed",
      refuses: ["temperature"],
      source: "github.com/XCNXNXNX/dsh-portable-tavern/issues/1 (kimi-k3)",
      read: "2026-11-16",
    },
    {
      models: "kimi-k3 kimi-k3.1-pro kimi-k3.1-pro-highspeed",
      efforts: ["low", "high", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
