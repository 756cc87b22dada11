import type { ModelProtocol } from "../../agent/model.ts"
import { httpUrl, isOpenAiHost } from "./address.ts"
import { factsOf } from "./facts/facts.ts"
import type { Provider } from "./provider.ts"

/**
 * How a model of a provider is spoken to. What the configuration or the code says of the protocol holds; where nobody
 * says, the model decides. A server at another address is a compatible one, which speaks what its provider speaks.
 */
export function protocolFor(provider: Provider, model: string, endpoint?: string): ModelProtocol {
  if (!provider.protocolByModel) return provider.protocol
  const host = httpUrl(endpoint ?? provider.baseUrl ?? "")?.hostname
  const isOwn = provider.cloud === "azure" ? endpoint === undefined : isOpenAiHost(host)
  return isOwn && isResponding(model) ? "responses" : provider.protocol
}

/** The table decides; of models that are newer than it, or on Azure called by other names, only the name tells. */
function isResponding(model: string): boolean {
  const listed = factsOf("openai", model)?.protocol
  return listed === undefined ? respondingModels.test(model) : listed === "responses"
}

/**
 * OpenAI's models that keep their reasoning between turns only over responses, or that are served in no other way
 * (developers.openai.com/api/docs/models, 2026-11).
 */
const respondingModels =
  /^(?:gpt-5\.(?:[4-9]|\d\d)|gpt-(?:[6-9]|\d\d)|codex-|computer-use-)|-(?:pro|codex|deep-research)(?:-|$)/
