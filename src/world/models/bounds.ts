import type { ModelUse, TokenPrices } from "../../agent/model.ts"
import { StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import { matches } from "../../ground/patterns/stars.ts"
import { isLoopback } from "./address.ts"
import { factsOf } from "./facts/facts.ts"
import { isModel, servedBy } from "./model-settings.ts"
import { presetFacts } from "./preset-facts.ts"
import type { Provider, ProviderList } from "./provider.ts"
import { resolveName } from "./resolve.ts"
import type { Names, Target } from "./target.ts"

/** Which models may be asked, by the configuration. */
export interface ModelBounds {
  /** Patterns of `provider/model`: a model must be in every one of these lists. */
  readonly allowed: readonly (readonly string[])[]
  /** US dollars for a million tokens. */
  readonly maxPrice: { readonly input?: number; readonly output?: number }
  /** The presets of the person alone: a project cannot say what a model costs. */
  readonly presets: JsonMap
  /** Where a setting with this value stands, as `file:line`. */
  placeOf(setting: string, value: number | readonly string[]): string | undefined
}

interface Bounded {
  readonly names: Names
  readonly providers: ProviderList
  readonly bounds?: ModelBounds
}

/** Throws MODEL_DENIED for a model that the configuration does not allow, or whose price it does not. */
export function requireAllowed(use: Target["use"] | ModelUse, bounded: Bounded): void {
  const { bounds } = bounded
  if (!bounds || (bounds.allowed.length === 0 && Object.keys(bounds.maxPrice).length === 0)) return
  const asked = askedModel(use, bounded, bounds)
  if (asked === undefined) return
  const { id } = asked
  for (const patterns of bounds.allowed)
    if (!patterns.some((pattern) => means(pattern, id)))
      throw denied("allowed_models", patterns, bounds, (place) => {
        const list = patterns.length > 0 ? `allows only ${patterns.join(", ")}` : "allows no model at all"
        return `${id} may not be used: ${place} ${list}. Choose a model that it allows, or add this one there.`
      })
  if (asked.isFree) return
  for (const kind of ["input", "output"] as const) {
    const most = bounds.maxPrice[kind]
    if (most === undefined || (asked.price?.[kind] ?? Number.POSITIVE_INFINITY) <= most) continue
    const price = asked.price?.[kind]
    throw denied(`max_model_price.${kind}`, most, bounds, (place) =>
      price === undefined
        ? `${id} may not be used: its price is not known, and ${place} allows $${most} for a million tokens of ${kind}. ${asked.isElsewhere ? "A file names the server, and no table tells what that bills: choose another model, or name the server as `baseUrl` of a provider in your own configuration." : "Name its `price` in a preset of your own configuration, or choose another model."}`
        : `${id} may not be used: it costs up to $${price} for a million tokens of ${kind}, and ${place} allows $${most}. Choose a cheaper model, or raise the limit there.`,
    )
  }
}

interface Asked {
  readonly id: string
  /** The highest of its prices, for a million tokens. */
  readonly price?: Pick<TokenPrices, "input" | "output">
  /** No request to it is billed. */
  readonly isFree?: boolean
  /** A file names the server that is asked. */
  readonly isElsewhere?: boolean
}

/** Undefined: nobody is asked, or it is not known who, which is told elsewhere. */
function askedModel(
  use: Target["use"] | ModelUse,
  { names, providers }: Bounded,
  bounds: ModelBounds,
): Asked | undefined {
  if (!("name" in use)) {
    const provider = providers.find(use.provider)
    return (
      provider &&
      servedModel(provider, use.model, use.endpoint ?? provider.endpoint, bounds, names, providers)
    )
  }
  const settings = names.given.get(use.name)
  if (settings === undefined) return undefined
  if (isModel(settings)) {
    const { id, price } = settings
    return { id, ...(price && { price: { input: price.input * million, output: price.output * million } }) }
  }
  const { provider, model } = servedBy(use.name, settings, providers, names.environment)
  const asked = servedModel(provider, model, undefined, bounds, names, providers)
  return settings.price ? { ...asked, price: settings.price } : asked
}

function servedModel(
  provider: Provider,
  model: string,
  endpoint: string | undefined,
  bounds: ModelBounds,
  names: Names,
  providers: ProviderList,
): Asked {
  const id = `${provider.id}/${model}`
  // What another server bills for a model of that name is not in any table.
  if (endpoint !== undefined) return { id, isElsewhere: true }
  const own = { ...names, presets: bounds.presets }
  const { price: said } = presetFacts(provider.id, model, bounds.presets, (name) =>
    resolveName(name, own, { owner: "The configuration", providers, current: () => undefined }),
  )
  const price = said ?? highestListed(provider.id, model)
  return { id, ...(price && { price }), isFree: isOnThisMachine(provider) }
}

/** Long prompts may cost more than others. */
function highestListed(provider: string, model: string): Asked["price"] {
  const { price, longPrompts } = factsOf(provider, model) ?? {}
  return (
    price && {
      input: Math.max(price.input, longPrompts?.input ?? 0),
      output: Math.max(price.output, longPrompts?.output ?? 0),
    }
  )
}

/**
 * Servers that run models themselves. Only those that ship, at an address of this machine: one of a person's own may
 * be a gateway that is billed, wherever it runs.
 */
const isOnThisMachine = ({ id, baseUrl, protocol }: Provider): boolean =>
  ["ollama", "oss", "lm-studio", "llama-server", "vllm"].includes(id) &&
  protocol === "openai" &&
  baseUrl !== undefined &&
  isLoopback(baseUrl)

/** Letters of any case, and a colon behind the provider for a slash. */
const means = (pattern: string, id: string): boolean =>
  matches(
    pattern
      .trim()
      .toLowerCase()
      .replace(/^([^/:*]+):/, "$1/"),
    id.toLowerCase(),
  )

function denied(
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
