import type { Model, ModelReply, TokenPrices } from "../../agent/model.ts"
import type { ModelFacts } from "./facts/table.ts"

/** The same model, whose replies to long prompts cost what those cost: `price` knows only the usual rate. */
export function withLongPrompts(model: Model, { price, longPrompts }: ModelFacts): Model {
  if (price === undefined || longPrompts === undefined) return model
  const stream: Model["stream"] = async (request, onDelta) => {
    const reply = await model.stream(request, onDelta)
    return (reply.usage.inputTokens ?? 0) > longPrompts.above ? repriced(reply, price, longPrompts) : reply
  }
  const highestPrice: NonNullable<Model["highestPrice"]> = (inputTokens) => {
    const usual = model.highestPrice?.(inputTokens) ?? model.price!
    if (inputTokens <= longPrompts.above) return usual
    return {
      input: Math.max(1, longPrompts.input / price.input) * usual.input,
      output: Math.max(usual.output, longPrompts.output / million),
    }
  }
  // Not a spread: that would read what the model works out only when asked.
  return Object.defineProperties({} as Model, {
    ...Object.getOwnPropertyDescriptors(model),
    stream: { value: stream, enumerable: true },
    highestPrice: { value: highestPrice, enumerable: true },
  })
}

/** Whatever happened to the input (cached or not), long prompts raise its price by one factor. */
function repriced(reply: ModelReply, price: TokenPrices, long: TokenPrices): ModelReply {
  const { inputTokens = 0, outputTokens, cost } = reply.usage
  if (outputTokens === undefined) return reply
  const usualOutput = (outputTokens * price.output) / million
  const usualInput = cost === undefined ? (inputTokens * price.input) / million : cost - usualOutput
  const dearer = usualInput * (long.input / price.input) + (outputTokens * long.output) / million
  return { ...reply, usage: { ...reply.usage, cost: dearer } }
}

const million = 1_000_000
