import type { Model, ModelSettings } from "../../agent/model.ts"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import type { KnownOptions } from "../../ground/options.ts"
import { resolveAlias } from "./aliases.ts"
import type { Provider, ProviderList } from "./provider.ts"

export const isModel = (value: Model | ModelSettings): value is Model => "stream" in value

/** Callers without types can pass anything, so the value is checked. */
export function requireModel(which: string, value: unknown): void {
  if (isMap(value)) return
  throw new CadreError(
    "MODEL_UNKNOWN",
    `The model ${which} is ${JSON.stringify(value) ?? typeof value}. Give a name, a model object, or settings such as { provider: "anthropic", model: "sonnet" }.`,
  )
}

const knownSettings: KnownOptions<ModelSettings> = {
  provider: "known",
  protocol: "known",
  package: "known",
  model: "known",
  baseUrl: "known",
  apiKey: "known",
  headers: "known",
  parameters: "known",
  effort: "known",
  price: "known",
  window: "known",
  sees: "known",
  strictTools: "known",
}
const settingNames = Object.keys(knownSettings)

/** Refuses unknown settings: an ignored `endpoint` would send the key to the provider's own address. */
export function requireKnownSettings(name: string, settings: ModelSettings): void {
  const unknown = Object.keys(settings).find((key) => !settingNames.includes(key))
  if (unknown === undefined) return
  const hint =
    unknown === "endpoint" ? "The address is `baseUrl` here." : listKnownNames(unknown, settingNames)
  throw new CadreError(
    "MODEL_UNKNOWN",
    `The model ${JSON.stringify(name)} has an unknown setting ${JSON.stringify(unknown)}. ${hint}`,
  )
}

/**
 * Resolves settings to a provider and a model name. Settings in code are trusted, so the key may go to their address.
 */
export function resolveSettings(
  name: string,
  settings: ModelSettings,
  providers: ProviderList,
  environment: NodeJS.ProcessEnv,
): { readonly provider: Provider; readonly model: string } {
  const { endpoint: _, ...listed } = knownProvider(name, settings, providers)
  const { protocol, package: packageName, baseUrl, headers, strictTools } = settings
  return {
    provider: {
      ...listed,
      ...(packageName && { package: packageName, protocol: "ai-sdk", protocolByModel: false }),
      ...(protocol && { protocol, protocolByModel: false }),
      ...(baseUrl && { baseUrl, baseUrlFrom: `models.${name}.baseUrl` }),
      headers: { ...listed.headers, ...headers },
      ...(strictTools !== undefined && { strictTools }),
    },
    model: resolveAlias(listed.id, settings.model, environment) ?? settings.model,
  }
}

function knownProvider(name: string, settings: ModelSettings, providers: ProviderList): Provider {
  const { provider, model, baseUrl, protocol, package: packageName } = settings
  if (typeof model !== "string" || model.trim() === "")
    throw new CadreError(
      "MODEL_UNKNOWN",
      `The model ${JSON.stringify(name)} has settings without \`model\`: add the provider's name for it.`,
    )
  const listed = provider === undefined ? providers.ofModel(model) : providers.find(provider)
  if (listed) return listed
  if (baseUrl !== undefined || packageName !== undefined)
    return unlistedProvider(provider ?? protocol ?? "openai")
  throw new CadreError(
    "MODEL_UNKNOWN",
    provider === undefined
      ? `The model ${JSON.stringify(name)} has settings that do not say who serves ${JSON.stringify(model)}. Add \`provider\` or \`baseUrl\`.`
      : `The model ${JSON.stringify(name)} names the unknown provider ${JSON.stringify(provider)}. ${listKnownNames(provider, providers.names)} A provider of your own needs a \`baseUrl\`.`,
  )
}

const unlistedProvider = (id: string): Provider => ({
  id,
  protocol: "openai",
  endpoints: [],
  keyVariables: [],
  tokenVariables: [],
  key: "optional",
  headers: {},
  headerVariables: {},
  source: "configuration",
})
