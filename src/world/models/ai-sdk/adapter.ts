import type { Model } from "../../../agent/model.ts"
import { type KnownOptions, requireKnownOptions } from "../../../ground/options.ts"
import { unfinishedIn } from "../secrets.ts"
import { usuallySees } from "../sees.ts"
import { bound, type ModelPrice } from "../wire/client.ts"
import type { Parameters } from "../wire/parameters.ts"
import { redacted } from "../wire/text.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import type { WatchLimits } from "./watch.ts"

export interface AiSdkOptions {
  /** What the model is called here. Default: the provider's name, a slash and the model's. */
  readonly id?: string
  /**
   * Added to every request: call settings such as `temperature` by their name, anything else as an option of the
   * provider. `max_tokens` bounds a reply. A `null` leaves a default out. What a definition gives comes over them.
   */
  readonly parameters?: Parameters
  /** Milliseconds without a word from the provider. Default: 300,000. */
  readonly idleTimeout?: number
  /** Milliseconds for the whole answer. Default: 1,800,000. */
  readonly totalTimeout?: number
  /** What a token costs, and one that came from the provider's cache. Without it the cost of a run is unknown. */
  readonly price?: ModelPrice
  /** Tokens that a request and its reply may have together. */
  readonly window?: number
  /** What it can read beside text. Default: what models of its name are known to read. */
  readonly sees?: Model["sees"]
  /** Models of one gate share a provider's rate limit. */
  readonly gate?: string
  /**
   * Whether the provider holds a model to the schema of `submit_result`. Default: packages of OpenAI and Anthropic, of
   * versions that can be told to, where their own models are asked.
   */
  readonly strictTools?: boolean
}

/**
 * A model of any AI SDK provider package, such as `createOpenAI().responses("gpt-5")`. A failure of the provider,
 * the connection or the time is data in the reply, an abort too: `stream` never throws. Nothing is retried here.
 * What the provider must see again, such as signed reasoning, is kept with the message. OpenAI is told not to
 * store anything: the history is in the log, and sent with every turn.
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkOptions = {}): Model {
  requireKnownOptions("aiSdkModel", options, aiSdkOptions)
  return adapted(model, options, { host: model.provider, secrets: () => [] })
}

const aiSdkOptions: KnownOptions<AiSdkOptions> = {
  id: "known",
  parameters: "known",
  idleTimeout: "known",
  totalTimeout: "known",
  price: "known",
  window: "known",
  sees: "known",
  gate: "known",
  strictTools: "known",
}

/** What is known about the connection of a model that was opened here. */
export interface Connection {
  readonly host: string
  /** Undefined: the package's own. */
  readonly baseUrl?: string
  secrets(): readonly string[]
}

export function adapted(
  model: AiSdkLanguageModel,
  options: AiSdkOptions,
  { host, baseUrl, secrets }: Connection,
): Model {
  const id = options.id ?? `${model.provider.split(".")[0]}/${model.modelId}`
  const { price, window, gate, strictTools, parameters = {} } = options
  const { sees = usuallySees(model.modelId) } = options
  const limits: WatchLimits = {
    host,
    idleTimeout: bound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: bound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
  }
  let loading: Promise<Model["stream"]> | undefined

  async function load(): Promise<Model["stream"]> {
    const { conversation } = await import("./conversation.ts")
    return conversation(model, { limits, parameters, price, strictTools, baseUrl, secrets })
  }

  return {
    id,
    asks: model.modelId,
    host,
    ...(price && { price: { input: price.input, output: price.output } }),
    ...(window !== undefined && { window: bound(id, "window", window) }),
    ...(sees.length > 0 && { sees }),
    ...(gate !== undefined && { gate }),
    redact: (text) => redacted(text, secrets()),
    unfinished: (text) => unfinishedIn(text, secrets()),
    async stream(request, onDelta) {
      loading ??= load()
      return (await loading)(request, onDelta)
    },
  }
}
