import type { ModelProtocol } from "../../agent/model.ts"
import { isOpenAiHost, parseHttpUrl } from "./address.ts"
import { findFacts } from "./facts/facts.ts"
import type { Provider } from "./provider.ts"

/**
 * Chooses the protocol for a model. A protocol from the configuration or the code wins; otherwise the model decides. A
 * server at another address is a compatible one and uses its provider's protocol.
 */
export function chooseProtocol(provider: Provider, model: string, endpoint?: string): ModelProtocol {
  if (!provider.protocolByModel) return provider.protocol
  const host = parseHttpUrl(endpoint ?? provider.baseUrl ?? "")?.hostname
  const isStandardAddress = provider.cloud === "azure" ? endpoint === undefined : isOpenAiHost(host)
  return isStandardAddress && isResponding(model) ? "responses" : provider.protocol
}

/**
 * True if a model uses the responses protocol. The table decides. For models that are newer, or renamed on Azure, only
 * the name tells.
 */
function isResponding(model: string): boolean {
  const listed = findFacts("openai", model)?.protocol
  return listed === undefined ? respondingModels.test(model) : listed === "responses"
}

/**
 * OpenAI's models that keep their reasoning between turns only over responses, or are served in no other way
 * (developers.openai.com/api/docs/models, 2026-11).
 */
const respondingModels =
  /^(?:gpt-5\.(?:[4-9]|\d\d)|gpt-(?:[6-9]|\d\d)|codex-|computer-use-)|-(?:pro|codex|deep-research)(?:-|$)/
