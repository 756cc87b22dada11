import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { bound, clientOptions, keyHeader, protocolModel } from "./client.ts"
import { limitParameters, reservedParameters } from "./openai/names.ts"
import type { OpenAiOptions } from "./openai/options.ts"

/**
 * A model that is asked over OpenAI's chat-completions protocol. A failure of the provider, the connection or
 * the time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 */
export function openaiModel(options: OpenAiOptions): Model {
  requireKnownOptions("openaiModel", options, openAiOptions)
  const id = options.id ?? `openai/${options.model}`
  const { model, parameters = {} } = options
  for (const name of limitParameters) bound(id, name, parameters[name] ?? 1)
  return protocolModel(id, options, {
    model,
    baseUrl: "https://api.openai.com/v1",
    path: (base) => `${base}/chat/completions`,
    headers: keyHeader("authorization", options.apiKey, "Bearer "),
    reservedParameters,
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
