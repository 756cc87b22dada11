import type { Model, ModelProtocol, TokenPrices } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Access } from "./access.ts"
import { azureAddress } from "./azure-address.ts"
import { factsOf } from "./facts/facts.ts"
import type { ModelFacts } from "./facts/table.ts"
import { withLongPrompts } from "./long-prompts.ts"
import { protocolFor } from "./protocol-for.ts"
import type { Provider } from "./provider.ts"
import { typesSeen, usuallySees } from "./sees.ts"
import { anthropicModel } from "./wire/anthropic.ts"
import { openaiModel } from "./wire/openai.ts"
import { responsesModel } from "./wire/responses.ts"

/** What is opened: a model of a provider, at the provider's address or another. */
export interface Opening {
  readonly provider: Provider
  readonly model: string
  readonly endpoint?: string
  readonly access: Access
  /** Where packages of the AI SDK are looked for first. */
  readonly packagesFrom?: string
  /** `found`: a package is looked for and not run, and nothing can be asked. `assumed`: not even looked for. */
  readonly packages?: "found" | "assumed"
  /** What was said about it, over what the table says. */
  readonly facts?: ModelFacts
}

/** The client of a provider's model. Nothing is asked yet. */
export async function openModel(opening: Opening): Promise<Model> {
  const { provider, model, endpoint, access, packagesFrom } = opening
  const protocol = protocolFor(provider, model, endpoint)
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
    ...(facts.sees && { sees: typesSeen(facts.sees) }),
    ...(provider.strictTools !== undefined && { strictTools: provider.strictTools }),
  }
  const apiKey = "api-key" in headers ? undefined : access.key?.value
  const from = packagesFrom === undefined ? {} : { packagesFrom }
  switch (protocol) {
    case "openai":
      return withLongPrompts(
        openaiModel({ ...options, provider: provider.id, ...(apiKey && { apiKey }) }),
        facts,
      )
    case "responses":
      return withLongPrompts(responsesModel({ ...options, ...(apiKey && { apiKey }) }), facts)
    case "anthropic":
      return withLongPrompts(
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
          `The provider ${provider.id} is spoken to through the AI SDK, but no package is named. Add \`providers.${provider.id}.package\`, such as "@ai-sdk/${provider.id}".`,
        )
      const { sees = usuallySees(model) } = options
      const foreseen = {
        ...options,
        ...(sees.length > 0 && { sees }),
        stream: () => Promise.reject(new TypeError("it is only foreseen")),
      }
      if (opening.packages === "assumed") return foreseen
      const { openAiSdkModel, requirePackage } = await import("./ai-sdk/ai-sdk.ts")
      if (opening.packages === "found") {
        requirePackage({ ...options, package: provider.package, provider: provider.id, ...from })
        return foreseen
      }
      return withLongPrompts(
        await openAiSdkModel({
          ...options,
          package: provider.package,
          provider: provider.id,
          ...from,
          // Without one the package takes that of the environment, and sends it to whatever address it is given.
          ...((apiKey ?? endpoint) && { apiKey: apiKey ?? "none" }),
        }),
        facts,
      )
    }
  }
}

/** Azure takes a key in a header of its own, and only a token as others do. */
const azureKey = ({ provider, access: { key } }: Opening): Readonly<Record<string, string>> =>
  provider.cloud === "azure" && provider.protocol !== "ai-sdk" && key?.as === "key"
    ? { "api-key": key.value }
    : {}

function addressOf({ provider, model, endpoint }: Opening, protocol: ModelProtocol): string | undefined {
  const address = endpoint ?? provider.baseUrl
  // A client of ours that is given its own address takes the server for somebody else's. A package that is given
  // none looks in the environment.
  if (protocol === "ai-sdk" || address === undefined) return address
  if (provider.cloud === "azure") return azureAddress(address, model, protocol)
  return usualAddresses.has(address.replace(/\/+$/, "")) ? undefined : address
}

const usualAddresses: ReadonlySet<string> = new Set([
  "https://api.openai.com/v1",
  "https://api.anthropic.com",
])

function factsFor({ provider, model, facts: said }: Opening): ModelFacts {
  const { longPrompts, ...usual }: ModelFacts = factsOf(provider.id, model) ?? {}
  // A price of one's own is the price of long prompts too.
  return { ...usual, ...(longPrompts && !said?.price && { longPrompts }), ...said }
}

const perToken = ({ input, output, cacheRead, cacheWrite }: TokenPrices): TokenPrices => ({
  input: input / million,
  output: output / million,
  ...(cacheRead !== undefined && { cacheRead: cacheRead / million }),
  ...(cacheWrite !== undefined && { cacheWrite: cacheWrite / million }),
})

const million = 1_000_000
