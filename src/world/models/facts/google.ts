import type { ListedFacts, ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

/** Parameters that Google's OpenAI address refuses for every model. Google's own protocol accepts them. */
export const geminiChatFacts: ListedFacts = {
  refuses: ["frequency_penalty", "top_k", "reasoning"],
  sources: {
    refuses:
      "github.com/MinLL/SkyrimNet-GamePlugin/issues/77 and github.com/SuzumiyaAkizuki/ComfyUI-NewBie-LLM-Formatter/issues/3, which quote Google's refusals (read 2026-11-18)",
  },
}

export const googleTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    // Google's page says that Gemini 3.6 to 3.8 Flash cost this until the end of 2026, and then twice as much.
    source: catalogue,
    read: "2026-11-15",
    rows: `
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
  },
  traits: [
    {
      models:
        "gemini-3-flash-preview gemini-3.1-flash-lite gemini-3.1-flash-lite-preview gemini-3.5-flash gemini-3.5-flash-lite gemini-3.6-flash gemini-flash-latest gemini-flash-lite-latest",
      efforts: ["minimal", "low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3.7-flash gemini-3.8-flash gemini-4-argon gemini-pro-latest",
      efforts: ["low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "gemini-3.5-flash-lite gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash gemini-4-argon gemini-pro-latest",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-pro gemini-3-flash-preview gemini-3.1-flash-lite gemini-3.1-flash-lite-preview gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3.5-flash gemini-flash-latest gemini-flash-lite-latest",
      sees: ["image", "pdf"],
      source: "models.dev (2026-07-02)",
      read: "2026-11-16",
    },
  ],
  retired: [
    {
      source: "ai.google.dev/gemini-api/docs/deprecations",
      read: "2026-11-16",
      rows: `
        gemini-3-pro-preview 2026-03-09 gemini-3.1-pro-preview
        gemini-3.1-flash-lite-preview 2026-05-25 gemini-3.1-flash-lite
        gemini-2.5-pro-preview-03-25 2025-12-02 gemini-3.1-pro-preview
        gemini-2.5-pro-preview-05-06 2025-12-02 gemini-3.1-pro-preview
        gemini-2.5-pro-preview-06-05 2025-12-02 gemini-3.1-pro-preview`,
    },
    {
      source: "firebase.google.com/docs/ai-logic (2026-06-18)",
      read: "2026-11-16",
      rows: `
        gemini-2.0-flash 2026-06-01 gemini-3.1-flash-lite
        gemini-2.0-flash-001 2026-06-01 gemini-3.1-flash-lite
        gemini-2.0-flash-lite 2026-06-01 gemini-3.1-flash-lite
        gemini-2.0-flash-lite-001 2026-06-01 gemini-3.1-flash-lite`,
    },
    {
      source: "Google's letter to developers, as copied in github.com/rxliuli/llm-api-proxy/pull/12",
      read: "2026-11-16",
      rows: `
        gemini-1.5-pro 2025-09-24 gemini-2.0-flash
        gemini-1.5-pro-001 2025-05-27 gemini-2.0-flash
        gemini-1.5-pro-002 2025-09-24 gemini-2.0-flash
        gemini-1.5-flash 2025-09-24 gemini-2.0-flash
        gemini-1.5-flash-001 2025-05-27 gemini-2.0-flash
        gemini-1.5-flash-002 2025-09-24 gemini-2.0-flash
        gemini-1.5-flash-8b 2025-09-24 gemini-2.0-flash-lite`,
    },
  ],
}
