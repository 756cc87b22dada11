import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const xaiTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      grok-4.3 1.25 2.5 0.2 - 1000000 30000 200000:2.5:5
      grok-4.5 2 6 0.3 - 500000 500000 200000:4:12
      grok-4.6 2 6 0.5 - 500000 500000 200000:4:12
      grok-4.7 2 6 0.5 - 500000 500000 200000:4:12`,
  },
  traits: [
    {
      models: "grok-4.3 grok-4.5 grok-4.6 grok-4.7",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "grok-4.3 grok-4.5 grok-4.6 grok-4.7",
      refuses: ["presence_penalty", "frequency_penalty", "stop"],
      source:
        "docs.x.ai/developers/model-capabilities/text/reasoning, by github.com/can1357/oh-my-pi/pull/7454",
      read: "2026-11-16",
    },
    {
      models: "grok-4.3",
      efforts: ["none", "low", "medium", "high", "xhigh"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "grok-4.5 grok-4.6 grok-4.7",
      efforts: ["low", "medium", "high", "xhigh"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
