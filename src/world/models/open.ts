import type { Model, ModelProtocol, TokenPrices } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ModelAccess } from "./access.ts"
import { buildAzureAddress } from "./azure-address.ts"
import { findFacts } from "./facts/facts.ts"
import type { ModelFacts } from "./facts/table.ts"
import { addLongPromptPrice } from "./long-prompts.ts"
import { chooseProtocol } from "./protocol-for.ts"
import type { Provider } from "./provider.ts"
import { guessSeenTypes, listMediaTypes } from "./sees.ts"
import { anthropicModel } from "./wire/anthropic.ts"
import { openaiModel } from "./wire/openai.ts"
import { responsesModel } from "./wire/responses.ts"

/** The input for opening a model of a provider, at the provider's address or another. */
export interface ModelOpening {
  readonly provider: Provider
  readonly model: string
  readonly endpoint?: string
  readonly access: ModelAccess
  /** The folder that is searched first for packages of the AI SDK. */
  readonly packagesFrom?: string
  /**
   * `found`: the package must exist but is not run, so no request is possible. `assumed`: the package is not even
   * looked up.
   */
  readonly packages?: "found" | "assumed"
  /** Facts from settings, which override the table. */
  readonly facts?: ModelFacts
}

/** Creates the client of a provider's model. Sends no request yet. */
export async function openModel(opening: ModelOpening): Promise<Model> {
  const { provider, model, endpoint, access, packagesFrom } = opening
  const protocol = chooseProtocol(provider, model, endpoint)
  const facts = factsFor(opening)
  const baseUrl = addressOf(opening, protocol)
  const headers = { ...access.headers, ...azureKey(opening) }
  const options = {
    id: `${provider.id}/${model}`,
    model,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(facts.price && { price: perToken(facts.price) }),
    ...(facts.window !== undefined && { window: facts.window }),
    ...(facts.sees && { sees: listMediaTypes(facts.sees) }),
    ...(provider.strictTools !== undefined && { strictTools: provider.strictTools }),
  }
  const apiKey = "api-key" in headers ? undefined : access.key?.value
  const from = packagesFrom === undefined ? {} : { packagesFrom }
  switch (protocol) {
    case "openai":
      return addLongPromptPrice(
        openaiModel({ ...options, provider: provider.id, ...(apiKey && { apiKey }) }),
        facts,
      )
    case "responses":
      return addLongPromptPrice(responsesModel({ ...options, ...(apiKey && { apiKey }) }), facts)
    case "anthropic":
      return addLongPromptPrice(
        anthropicModel({
          ...options,
          ...(facts.longestReply !== undefined && { longestReply: facts.longestReply }),
          ...(apiKey && (access.key?.as === "token" ? { authToken: apiKey } : { apiKey })),
        }),
        facts,
      )
    case "ai-sdk": {
      if (provider.package === undefined)
        throw new CadreError(
          "MODEL_UNKNOWN",
          `The provider ${provider.id} uses the AI SDK, but has no package. Add \`providers.${provider.id}.package\`, such as "@ai-sdk/${provider.id}".`,
        )
      const { sees = guessSeenTypes(model) } = options
      const preview = {
        ...options,
        ...(sees.length > 0 && { sees }),
        stream: () => Promise.reject(new TypeError("this model is only a preview")),
      }
      if (opening.packages === "assumed") return preview
      const { openAiSdkModel, requirePackage } = await import("./ai-sdk/ai-sdk.ts")
      if (opening.packages === "found") {
        requirePackage({ ...options, package: provider.package, provider: provider.id, ...from })
        return preview
      }
      return addLongPromptPrice(
        await openAiSdkModel({
          ...options,
          package: provider.package,
          provider: provider.id,
          ...from,
          // Without a key the package would take one from the environment and send it to any address.
          ...((apiKey ?? endpoint) && { apiKey: apiKey ?? "none" }),
        }),
        facts,
      )
    }
  }
}

/** Azure expects a key in its own header, and only a token like others. */
const azureKey = ({ provider, access: { key } }: ModelOpening): Readonly<Record<string, string>> =>
  provider.cloud === "azure" && provider.protocol !== "ai-sdk" && key?.as === "key"
    ? { "api-key": key.value }
    : {}

function addressOf({ provider, model, endpoint }: ModelOpening, protocol: ModelProtocol): string | undefined {
  const address = endpoint ?? provider.baseUrl
  // A client with an explicit address treats the server as foreign, so the usual address is left out. A package without
  // an address would read one from the environment.
  if (protocol === "ai-sdk" || address === undefined) return address
  if (provider.cloud === "azure") return buildAzureAddress(address, model, protocol)
  return usualAddresses.has(address.replace(/\/+$/, "")) ? undefined : address
}

const usualAddresses: ReadonlySet<string> = new Set([
  "https://api.openai.com/v1",
  "https://api.anthropic.com",
])

function factsFor({ provider, model, facts: ownFacts }: ModelOpening): ModelFacts {
  const { longPrompts, ...usual }: ModelFacts = findFacts(provider.id, model) ?? {}
  // A configured price replaces the price of long prompts, too.
  return { ...usual, ...(longPrompts && !ownFacts?.price && { longPrompts }), ...ownFacts }
}

const perToken = ({ input, output, cacheRead, cacheWrite }: TokenPrices): TokenPrices => ({
  input: input / million,
  output: output / million,
  ...(cacheRead !== undefined && { cacheRead: cacheRead / million }),
  ...(cacheWrite !== undefined && { cacheWrite: cacheWrite / million }),
})

const million = 1_000_000
