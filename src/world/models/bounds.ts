import type { ModelUse, TokenPrices } from "../../agent/model.ts"
import { StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import { isLoopback } from "./address.ts"
import { findFacts } from "./facts/facts.ts"
import { isModel, resolveSettings } from "./model-settings.ts"
import { findPresetFacts } from "./preset-facts.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { ModelNames, ModelTarget } from "./target.ts"

/** The models that the configuration allows. */
export interface ModelBounds {
  /** Lists of patterns of `provider/model`. A model must match one pattern of every list. */
  readonly allowed: readonly (readonly string[])[]
  /** In US dollars per million tokens. */
  readonly maxPrice: { readonly input?: number; readonly output?: number }
  /** The user's own presets: a project cannot set the price of a model. */
  readonly presets: JsonMap
  /** The place of a setting with this value, as `file:line`. */
  placeOf(setting: string, value: number | readonly string[]): string | undefined
}

interface BoundedModels {
  readonly names: ModelNames
  readonly providers: ProviderList
  readonly bounds?: ModelBounds
}

/** Throws MODEL_DENIED if the configuration does not allow a model or its price. */
export function requireAllowed(use: ModelTarget["use"] | ModelUse, bounded: BoundedModels): void {
  const { bounds } = bounded
  if (!bounds || (bounds.allowed.length === 0 && Object.keys(bounds.maxPrice).length === 0)) return
  const model = findModel(use, bounded, bounds)
  if (model === undefined) return
  const { id } = model
  for (const patterns of bounds.allowed)
    if (!patterns.some((pattern) => matchesPattern(pattern, id)))
      throw deniedError("allowed_models", patterns, bounds, (place) => {
        const list = patterns.length > 0 ? `allows only ${patterns.join(", ")}` : "allows no model at all"
        return `${id} may not be used: ${place} ${list}. Choose an allowed model, or add this one there.`
      })
  if (model.isFree) return
  for (const kind of ["input", "output"] as const) {
    const maxPrice = bounds.maxPrice[kind]
    if (maxPrice === undefined || (model.price?.[kind] ?? Number.POSITIVE_INFINITY) <= maxPrice) continue
    const price = model.price?.[kind]
    throw deniedError(`max_model_price.${kind}`, maxPrice, bounds, (place) =>
      price === undefined
        ? `${id} may not be used: its price is unknown, and ${place} allows $${maxPrice} per million tokens of ${kind}. ${model.isElsewhere ? "Only a file names its server, so no table has its prices. Choose another model, or set the server as `baseUrl` of a provider in your own configuration." : "Set its `price` in a preset of your own configuration, or choose another model."}`
        : `${id} may not be used: it costs up to $${price} per million tokens of ${kind}, and ${place} allows $${maxPrice}. Choose a cheaper model, or raise the limit there.`,
    )
  }
}

interface PricedModel {
  readonly id: string
  /** The highest of its prices, per million tokens. */
  readonly price?: Pick<TokenPrices, "input" | "output">
  /** Requests to the model cost nothing. */
  readonly isFree?: boolean
  /** A file names the server of the model. */
  readonly isElsewhere?: boolean
}

/** Finds the model behind a use, with its price. Undefined: the model is unknown, which is reported elsewhere. */
function findModel(
  use: ModelTarget["use"] | ModelUse,
  { names, providers }: BoundedModels,
  bounds: ModelBounds,
): PricedModel | undefined {
  if (!("name" in use)) {
    const provider = providers.find(use.provider)
    return (
      provider &&
      servedModel(provider, use.model, use.endpoint ?? provider.endpoint, bounds, names, providers)
    )
  }
  const settings = names.models.get(use.name)
  if (settings === undefined) return undefined
  if (isModel(settings)) {
    const { id, price } = settings
    return { id, ...(price && { price: { input: price.input * million, output: price.output * million } }) }
  }
  const { provider, model } = resolveSettings(use.name, settings, providers, names.environment)
  const priced = servedModel(provider, model, undefined, bounds, names, providers)
  return settings.price ? { ...priced, price: settings.price } : priced
}

function servedModel(
  provider: Provider,
  model: string,
  endpoint: string | undefined,
  bounds: ModelBounds,
  names: ModelNames,
  providers: ProviderList,
): PricedModel {
  const id = `${provider.id}/${model}`
  // No table has the prices of another server.
  if (endpoint !== undefined) return { id, isElsewhere: true }
  const ownNames = { ...names, presets: bounds.presets }
  const { price: presetPrice } = findPresetFacts(provider.id, model, bounds.presets, (name) =>
    resolveName(name, ownNames, { owner: "The configuration", providers, current: () => undefined }),
  )
  const price = presetPrice ?? highestListed(provider.id, model)
  return { id, ...(price && { price }), isFree: isOnThisMachine(provider) }
}

/** The price of long prompts may be higher, so the highest price counts. */
function highestListed(provider: string, model: string): PricedModel["price"] {
  const { price, longPrompts } = findFacts(provider, model) ?? {}
  return (
    price && {
      input: Math.max(price.input, longPrompts?.input ?? 0),
      output: Math.max(price.output, longPrompts?.output ?? 0),
    }
  )
}

/**
 * True for servers that run models on this machine. Only built-in providers at a local address count: a user's own
 * server may be a gateway that costs money.
 */
const isOnThisMachine = ({ id, baseUrl, protocol }: Provider): boolean =>
  ["ollama", "oss", "lm-studio", "llama-server", "vllm"].includes(id) &&
  protocol === "openai" &&
  baseUrl !== undefined &&
  isLoopback(baseUrl)

/** Matches without regard to case. A colon after the provider counts as a slash. */
const matchesPattern = (pattern: string, id: string): boolean =>
  matchesStars(
    pattern
      .trim()
      .toLowerCase()
      .replace(/^([^/:*]+):/, "$1/"),
    id.toLowerCase(),
  )

function deniedError(
  setting: string,
  value: number | readonly string[],
  bounds: ModelBounds,
  message: (place: string) => string,
): StartError {
  const place = bounds.placeOf(setting, value)
  return new StartError([
    {
      code: "MODEL_DENIED",
      kind: "written",
      rule: "model-denied",
      setting,
      part: "model",
      message: message(`\`${setting}\`${place === undefined ? "" : ` (${place})`}`),
    },
  ])
}

const million = 1_000_000
