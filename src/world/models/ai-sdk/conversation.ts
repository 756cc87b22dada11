import type { Model, ModelError, ModelRequest } from "../../../agent/model.ts"
import { describeThrown } from "../../../ground/errors.ts"
import type { ModelPrice } from "../wire/client.ts"
import { createAbortedFailure, createModelFailure, createNoAnswerFailure } from "../wire/failure.ts"
import { readFields, toStringOrEmpty } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import { StrictTools } from "../wire/strict-tools.ts"
import { presentError } from "../wire/text.ts"
import { toSdkFailure } from "./failure.ts"
import type { AiSdkCall, AiSdkLanguageModel } from "./language-model.ts"
import { writeCallOptions } from "./prompt.ts"
import { AiSdkReply } from "./stream.ts"
import { getAiSdkStrictRules } from "./strict-rules.ts"
import { Watch, type WatchLimits } from "./watch.ts"

interface Conversation {
  readonly limits: WatchLimits
  readonly parameters: Parameters
  readonly price: ModelPrice | undefined
  readonly strictTools: boolean | undefined
  readonly baseUrl: string | undefined
  secrets(): readonly string[]
}

/** Makes the function that asks a model through its provider's package. That function never throws. */
export function createAiSdkStream(model: AiSdkLanguageModel, options: Conversation): Model["stream"] {
  const { limits, parameters, price, strictTools, baseUrl, secrets } = options
  const { host } = limits
  const strict = new StrictTools(
    getAiSdkStrictRules(model, baseUrl),
    strictTools === undefined ? {} : { strictTools },
  )
  return async (request, onDelta) => {
    const reply = new AiSdkReply({ host, provider: model.provider, onDelta, price })
    const error = await ask(model, request, { reply, limits, parameters, strict })
    const safeError = error && presentError(error, secrets())
    return reply.reply(safeError && (strict.refusal(safeError, request.tools) ?? safeError))
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
  if (request.signal.aborted) return createAbortedFailure()
  let call: object
  try {
    call = writeCallOptions(model, request, { parameters, strict })
  } catch (thrown) {
    const message = `The request to ${limits.host} could not be made: ${describeThrown(thrown)}`
    return createModelFailure("rejected", message, "final")
  }
  const watch = new Watch(limits, request.signal)
  try {
    const raw = model.provider.startsWith("google") && { includeRawChunks: true }
    const answer = converse(model, { ...call, ...raw, abortSignal: watch.signal } as AiSdkCall, reply, watch)
    const error = await Promise.race([answer, watch.whenGivenUp])
    return watch.error ?? error
  } catch (thrown) {
    return watch.error ?? toSdkFailure(limits.host, thrown)
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
  watch.noteActivity()
  const contentType = toStringOrEmpty(readFields(response?.headers)["content-type"])
  const reader = stream.getReader()
  watch.onEnd(() => Promise.resolve(reader.cancel()).catch(() => {}))
  if (/html/i.test(contentType)) return createNoAnswerFailure(reply.host, 200, "some", contentType)
  while (!watch.isOver) {
    const { done, value } = await reader.read()
    if (watch.isOver) return undefined
    watch.noteActivity()
    const error = done ? reply.check() : addPart(reply, value)
    if (done || error) return error
  }
  return undefined
}

function addPart(reply: AiSdkReply, part: unknown): ModelError | undefined {
  try {
    return reply.add(part)
  } catch (thrown) {
    return createModelFailure(
      "protocol",
      `The answer could not be processed: ${describeThrown(thrown)}`,
      "final",
    )
  }
}
