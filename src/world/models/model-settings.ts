import type { Model, ModelSettings } from "../../agent/model.ts"
import { CadreError, knownNames } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import type { KnownOptions } from "../../ground/options.ts"
import { aliasedModel } from "./aliases.ts"
import type { Provider, ProviderList } from "./provider.ts"

export const isModel = (value: Model | ModelSettings): value is Model => "stream" in value

/** Programs without types, and types that say any, give all sorts of things. */
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

/** An `endpoint` that nobody reads would leave the provider's own address, and the key would go there. */
export function requireKnownSettings(name: string, settings: ModelSettings): void {
  const unknown = Object.keys(settings).find((key) => !settingNames.includes(key))
  if (unknown === undefined) return
  const hint = unknown === "endpoint" ? "The address is `baseUrl` here." : knownNames(unknown, settingNames)
  throw new CadreError(
    "MODEL_UNKNOWN",
    `The model ${JSON.stringify(name)} has a setting ${JSON.stringify(unknown)} that is not known. ${hint}`,
  )
}

/** The provider and the model's name behind settings. What is written in code is its author's own, so a key may go there. */
export function servedBy(
  name: string,
  settings: ModelSettings,
  providers: ProviderList,
  environment: NodeJS.ProcessEnv,
): { readonly provider: Provider; readonly model: string } {
  const { endpoint: _, ...known } = knownProvider(name, settings, providers)
  const { protocol, package: packageName, baseUrl, headers, strictTools } = settings
  return {
    provider: {
      ...known,
      ...(packageName && { package: packageName, protocol: "ai-sdk", protocolByModel: false }),
      ...(protocol && { protocol, protocolByModel: false }),
      ...(baseUrl && { baseUrl, baseUrlFrom: `models.${name}.baseUrl` }),
      headers: { ...known.headers, ...headers },
      ...(strictTools !== undefined && { strictTools }),
    },
    model: aliasedModel(known.id, settings.model, environment) ?? settings.model,
  }
}

function knownProvider(name: string, settings: ModelSettings, providers: ProviderList): Provider {
  const { provider, model, baseUrl, protocol, package: packageName } = settings
  if (typeof model !== "string" || model.trim() === "")
    throw new CadreError(
      "MODEL_UNKNOWN",
      `The model ${JSON.stringify(name)} has settings without \`model\`: say what its provider calls it.`,
    )
  const known = provider === undefined ? providers.ofModel(model) : providers.find(provider)
  if (known) return known
  if (baseUrl !== undefined || packageName !== undefined) return unlisted(provider ?? protocol ?? "openai")
  throw new CadreError(
    "MODEL_UNKNOWN",
    provider === undefined
      ? `The model ${JSON.stringify(name)} has settings from which nobody can tell who serves ${JSON.stringify(model)}. Add \`provider\` or \`baseUrl\`.`
      : `The model ${JSON.stringify(name)} names the provider ${JSON.stringify(provider)}, which is not known. ${knownNames(provider, providers.names)} One of your own needs a \`baseUrl\`.`,
  )
}

const unlisted = (id: string): Provider => ({
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
