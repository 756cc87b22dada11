import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { clientOptions, createProtocolModel, makeKeyHeader, requireBound } from "./client.ts"
import { chatLimitParameters, reservedChatParameters } from "./openai/names.ts"
import type { OpenAiOptions } from "./openai/options.ts"

/**
 * A model that uses OpenAI's chat-completions protocol. `stream` never throws: failures of the provider or the
 * connection, timeouts and aborts are data in the reply. Nothing is retried here.
 *
 * @example
 * ```ts
 * import { createRuntime, openaiModel } from "cadre"
 *
 * const model = openaiModel({ model: "llama3.3", baseUrl: "http://127.0.0.1:11434/v1" })
 * const runtime = createRuntime({ models: { model } })
 * ```
 */
export function openaiModel(options: OpenAiOptions): Model {
  requireKnownOptions("openaiModel", options, openAiOptions)
  const id = options.id ?? `openai/${options.model}`
  const { model, parameters = {} } = options
  for (const name of chatLimitParameters) requireBound(id, name, parameters[name] ?? 1)
  return createProtocolModel(id, options, {
    model,
    baseUrl: "https://api.openai.com/v1",
    path: (base) => `${base}/chat/completions`,
    headers: makeKeyHeader("authorization", options.apiKey, "Bearer "),
    reservedParameters: reservedChatParameters,
    async speak() {
      const { speakChat } = await import("./openai/speech.ts")
      return speakChat(options)
    },
  })
}

const openAiOptions: KnownOptions<OpenAiOptions> = {
  ...clientOptions,
  id: "known",
  model: "known",
  provider: "known",
  apiKey: "known",
}
