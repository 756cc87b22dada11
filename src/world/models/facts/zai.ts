import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const zaiTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
      glm-4.7 0.6 2.2 0.11 - 204800 131072
      glm-5-turbo 1.2 4 0.24 - 200000 131072
      glm-5.2 1.4 4.4 0.26 - 1000000 131072
      glm-5.3 1.4 4.4 0.26 - 1000000 131072
      glm-5.3-flash 0.15 0.5 0.03 - 1000000 131072`,
  },
  traits: [
    {
      models: "glm-5.3-flash",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "glm-4.7 glm-5-turbo glm-5.2 glm-5.3",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "glm-5.2",
      efforts: ["none", "high", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "glm-5.3 glm-5.3-flash",
      efforts: ["low", "high", "max"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
