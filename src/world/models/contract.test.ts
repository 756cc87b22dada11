import { test } from "vitest"
import { modelContract } from "../../faces/testing/model-contract.ts"
import { openAiSdkModel } from "./ai-sdk/ai-sdk.ts"
import { listMediaTypes } from "./sees.ts"
import { anthropicModel } from "./wire/anthropic.ts"
import { openaiModel } from "./wire/openai.ts"
import { responsesModel } from "./wire/responses.ts"

const sees = listMediaTypes(["image", "pdf"])

for (const stream of ["sse", "json"] as const) {
  modelContract({
    name: `openai, ${stream}`,
    open: (options) => openaiModel({ model: "m", sees, stream, ...options }),
    test,
  })
  modelContract({
    name: `responses, ${stream}`,
    open: (options) => responsesModel({ model: "m", sees, stream, ...options }),
    test,
  })
  modelContract({
    name: `anthropic, ${stream}`,
    open: (options) => anthropicModel({ model: "m", sees, stream, ...options }),
    test,
  })
}

modelContract({
  name: "anthropic, version 2026-10-21",
  open: (options) =>
    anthropicModel({ model: "m", sees, headers: { "anthropic-version": "2026-10-21" }, ...options }),
  test,
})

modelContract({
  name: "responses, through @ai-sdk/openai",
  open: (options) =>
    openAiSdkModel({
      id: "m",
      package: "@ai-sdk/openai",
      provider: "openai",
      model: "gpt-5",
      sees,
      ...options,
    }),
  test,
})

modelContract({
  name: "gemini, through @ai-sdk/google",
  open: ({ baseUrl, ...options }) =>
    openAiSdkModel({
      id: "m",
      package: "@ai-sdk/google",
      provider: "google",
      model: "gemini-3-pro-preview",
      baseUrl: baseUrl.replace(/v1$/, "v1beta"),
      ...options,
    }),
  test,
})
