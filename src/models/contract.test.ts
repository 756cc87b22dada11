import { test } from "vitest"
import { modelContract } from "../testing/model-contract.ts"
import { anthropicModel } from "./anthropic.ts"
import { openaiModel } from "./openai.ts"

for (const stream of ["sse", "json"] as const) {
  modelContract({
    name: `openai, ${stream}`,
    open: (options) => openaiModel({ model: "m", stream, ...options }),
    test,
  })
  modelContract({
    name: `anthropic, ${stream}`,
    open: (options) => anthropicModel({ model: "m", stream, ...options }),
    test,
  })
}

modelContract({
  name: "anthropic, version 2026-10-21",
  open: (options) =>
    anthropicModel({ model: "m", headers: { "anthropic-version": "2026-10-21" }, ...options }),
  test,
})
