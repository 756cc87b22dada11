import type { ModelTable } from "./table.ts"

const catalogue = "@earendil-works/pi-ai 1.5.0 (2026-11-02), made from models.dev"

export const mistralTable: ModelTable = {
  date: "2026-11-16",
  prices: {
    source: catalogue,
    read: "2026-11-15",
    rows: `
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
  },
  traits: [
    {
      models:
        "magistral-medium-latest ministral-14b-2512 ministral-3b-2512 ministral-3b-latest ministral-8b-2512 ministral-8b-latest mistral-large-2512 mistral-large-4 mistral-large-4-0-8 mistral-large-latest mistral-medium-2505 mistral-medium-2508 mistral-medium-2604 mistral-medium-3.5 mistral-medium-latest mistral-small-2506 mistral-small-2603 mistral-small-latest pixtral-12b",
      sees: ["image"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "codestral-2508 codestral-latest devstral-2512 devstral-latest devstral-medium-latest open-mistral-nemo voxtral-small-2507 voxtral-small-latest",
      sees: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "codestral-2508 codestral-latest devstral-2512 devstral-latest devstral-medium-latest ministral-14b-2512 ministral-3b-2512 ministral-3b-latest ministral-8b-2512 ministral-8b-latest mistral-large-2512 mistral-large-latest mistral-medium-2505 mistral-medium-2508 mistral-small-2506 open-mistral-nemo pixtral-12b voxtral-small-2507 voxtral-small-latest",
      efforts: [],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models:
        "magistral-medium-latest mistral-medium-2604 mistral-medium-3.5 mistral-medium-latest mistral-small-2603 mistral-small-latest",
      efforts: ["none", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
    {
      models: "mistral-large-4 mistral-large-4-0-8",
      efforts: ["low", "medium", "high"],
      source: catalogue,
      read: "2026-11-16",
    },
  ],
}
