import { messageOf } from "../../errors.ts"
import type { Model, ModelError, ModelRequest } from "../../model.ts"
import { unfinishedIn } from "../secrets.ts"
import { bound, type ModelPrice } from "../wire/client.ts"
import { abortedFailure, failure, noAnswerFailure } from "../wire/failure.ts"
import { fields, textOf } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import { StrictTools } from "../wire/strict-tools.ts"
import { presentable, redacted } from "../wire/text.ts"
import { sdkFailure } from "./failure.ts"
import { callOptions } from "./prompt.ts"
import { AiSdkReply } from "./stream.ts"
import { strictRules } from "./strict-rules.ts"
import { Watch, type WatchLimits } from "./watch.ts"

/** A language model of an AI SDK provider package, of its versions 2, 3 or 4: as much of it as is used here. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  /** Such as `openai.responses`. */
  readonly provider: string
  readonly modelId: string
  doStream(options: AiSdkCall): PromiseLike<{
    readonly stream: {
      getReader(): {
        read(): PromiseLike<{ readonly done: boolean; readonly value?: unknown }>
        cancel(reason?: unknown): PromiseLike<unknown>
      }
    }
    readonly response?: { readonly headers?: Readonly<Record<string, string>> }
  }>
}

/** What such a model is asked with. */
export interface AiSdkCall {
  readonly prompt: readonly unknown[]
  readonly tools?: readonly unknown[]
  readonly maxOutputTokens?: number
  readonly abortSignal?: AbortSignal
  readonly providerOptions?: object
}

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
export const aiSdkModel = (model: AiSdkLanguageModel, options: AiSdkOptions = {}): Model =>
  adapted(model, options, { host: model.provider, secrets: () => [] })

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
  const { price, window, gate, parameters = {} } = options
  const limits: WatchLimits = {
    host,
    idleTimeout: bound(id, "idleTimeout", options.idleTimeout ?? 300_000),
    totalTimeout: bound(id, "totalTimeout", options.totalTimeout ?? 1_800_000),
  }
  const strict = new StrictTools(strictRules(model, baseUrl), options)
  return {
    id,
    asks: model.modelId,
    ...(price && { price: { input: price.input, output: price.output } }),
    ...(window !== undefined && { window: bound(id, "window", window) }),
    ...(gate !== undefined && { gate }),
    redact: (text) => redacted(text, secrets()),
    unfinished: (text) => unfinishedIn(text, secrets()),
    async stream(request, onDelta) {
      const reply = new AiSdkReply({ host, provider: model.provider, onDelta, price })
      const error = await ask(model, request, { reply, limits, parameters, strict })
      const shown = error && presentable(error, secrets())
      return reply.reply(shown && (strict.refusal(shown, request.tools) ?? shown))
    },
  }
}

interface Asking {
  readonly reply: AiSdkReply
  readonly limits: WatchLimits
  readonly parameters: Parameters
  readonly strict: StrictTools
}

async function ask(
  model: AiSdkLanguageModel,
  request: ModelRequest,
  { reply, limits, parameters, strict }: Asking,
): Promise<ModelError | undefined> {
  if (request.signal.aborted) return abortedFailure()
  let call: object
  try {
    call = callOptions(model, request, { parameters, strict })
  } catch (thrown) {
    const message = `The request to ${limits.host} could not be made: ${messageOf(thrown)}`
    return failure("rejected", message, "final")
  }
  const watch = new Watch(limits, request.signal)
  try {
    const raw = model.provider.startsWith("google") && { includeRawChunks: true }
    const answer = converse(model, { ...call, ...raw, abortSignal: watch.signal } as AiSdkCall, reply, watch)
    const error = await Promise.race([answer, watch.givenUp])
    return watch.error ?? error
  } catch (thrown) {
    return watch.error ?? sdkFailure(limits.host, thrown)
  } finally {
    watch.end()
  }
}

async function converse(
  model: AiSdkLanguageModel,
  call: AiSdkCall,
  reply: AiSdkReply,
  watch: Watch,
): Promise<ModelError | undefined> {
  const { stream, response } = await watch.run(() => model.doStream(call))
  watch.heard()
  const contentType = textOf(fields(response?.headers)["content-type"])
  const reader = stream.getReader()
  watch.onEnd(() => Promise.resolve(reader.cancel()).catch(() => {}))
  if (/html/i.test(contentType)) return noAnswerFailure(reply.host, 200, "some", contentType)
  while (!watch.isOver) {
    const { done, value } = await reader.read()
    if (watch.isOver) return undefined
    watch.heard()
    const error = done ? reply.check() : taken(reply, value)
    if (done || error) return error
  }
  return undefined
}

function taken(reply: AiSdkReply, part: unknown): ModelError | undefined {
  try {
    return reply.add(part)
  } catch (thrown) {
    return failure("protocol", `The answer could not be taken in: ${messageOf(thrown)}`, "final")
  }
}
