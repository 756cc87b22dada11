import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { computeUnfinishedLength } from "../secrets.ts"
import { guessSeenTypes } from "../sees.ts"
import { type ModelPrice, requireBound } from "../wire/client.ts"
import type { Parameters } from "../wire/parameters.ts"
import { redactSecrets } from "../wire/text.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import type { WatchLimits } from "./watch.ts"

/** Settings of a model from an AI SDK package. */
export interface AiSdkOptions {
  /** The model's id in cadre. Default: the provider's name, a slash and the model's name. */
  readonly id?: string
  /**
   * Parameters for every request: call settings such as `temperature` by their name, all others as options of the
   * provider. `max_tokens` limits a reply. A `null` removes a default. Parameters of a definition override them.
   */
  readonly parameters?: Parameters
  /** The longest silence of the provider, in milliseconds. Default: 300,000. */
  readonly idleTimeout?: number
  /** The time for the whole answer, in milliseconds. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** The price of a token, also of one from the provider's cache. Without it the cost of a run is unknown. */
  readonly price?: ModelPrice
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** Media types that the model reads besides text. Default: those that models of this name usually read. */
  readonly sees?: Model["sees"]
  /** Models of one group share a provider's rate limit. */
  readonly rateLimitGroup?: string
  /**
   * True if the provider enforces the schema of `submit_result`. Default: true for OpenAI's and Anthropic's own models,
   * with versions of their packages that support it.
   */
  readonly strictTools?: boolean
}

/**
 * A model of any AI SDK provider package, such as `createOpenAI().responses("gpt-5")`. `stream` never throws: failures
 * of the provider or the connection, timeouts and aborts are data in the reply. Nothing is retried here.
 *
 * Data that the provider must see again, such as signed reasoning, is kept with the message. OpenAI is told to store
 * nothing: the history is in the log, and is sent with every turn.
 *
 * @example
 * ```ts
 * import { createOpenAI } from "@ai-sdk/openai"
 * import { aiSdkModel, createRuntime } from "cadre"
 *
 * const openai = createOpenAI({ apiKey: process.env.OPENAI_API_KEY ?? "" })
 * const model = aiSdkModel(openai.responses("gpt-5"), { idleTimeout: 60_000 })
 * const runtime = createRuntime({ models: { model } })
 * ```
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  requireKnownOptions("aiSdkModel", options, aiSdkOptions)
  return adaptAiSdkModel(model, options, { host: model.provider, secrets: () => [] })
}

const aiSdkOptions: KnownOptions<AiSdkOptions> = {
  id: "known",
  parameters: "known",
  idleTimeout: "known",
  totalTimeout: "known",
  price: "known",
  window: "known",
  sees: "known",
  rateLimitGroup: "known",
  strictTools: "known",
}

/** The connection of a model that was opened here. */
export interface AiSdkConnection {
  readonly host: string
  /** The base URL. Undefined: the package's own. */
  readonly baseUrl?: string
  secrets(): readonly string[]
}

export function adaptAiSdkModel(
  model: AiSdkLanguageModel,
  options: AiSdkOptions,
  { host, baseUrl, secrets }: AiSdkConnection,
): Model {
  const id = options.id ?? `${model.provider.split(".")[0]}/${model.modelId}`
  const { price, window, rateLimitGroup, strictTools, parameters = {} } = options
  const { sees = guessSeenTypes(model.modelId) } = options
  const limits: WatchLimits = {
    host,
    idleTimeout: requireBound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: requireBound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
  }
  let loading: Promise<Model["stream"]> | undefined

  async function load(): Promise<Model["stream"]> {
    const { createAiSdkStream } = await import("./conversation.ts")
    return createAiSdkStream(model, { limits, parameters, price, strictTools, baseUrl, secrets })
  }

  return {
    id,
    asks: model.modelId,
    host,
    ...(price && { price: { input: price.input, output: price.output } }),
    ...(window !== undefined && { window: requireBound(id, "window", window) }),
    ...(sees.length > 0 && { sees }),
    ...(rateLimitGroup !== undefined && { rateLimitGroup }),
    redact: (text) => redactSecrets(text, secrets()),
    unfinished: (text) => computeUnfinishedLength(text, secrets()),
    async stream(request, onDelta) {
      loading ??= load()
      return (await loading)(request, onDelta)
    },
  }
}
