import type { Model, ModelReply, TokenPrices } from "../../agent/model.ts"
import type { ModelFacts } from "./facts/table.ts"

/** Adds the price of long prompts to a model, because `price` holds only the usual rate. */
export function addLongPromptPrice(model: Model, { price, longPrompts }: ModelFacts): Model {
  if (price === undefined || longPrompts === undefined) return model
  const stream: Model["stream"] = async (request, onDelta) => {
    const reply = await model.stream(request, onDelta)
    return (reply.usage.inputTokens ?? 0) > longPrompts.above ? reprice(reply, price, longPrompts) : reply
  }
  const highestPrice: NonNullable<Model["highestPrice"]> = (inputTokens) => {
    const usual = model.highestPrice?.(inputTokens) ?? model.price!
    if (inputTokens <= longPrompts.above) return usual
    return {
      input: Math.max(1, longPrompts.input / price.input) * usual.input,
      output: Math.max(usual.output, longPrompts.output / million),
    }
  }
  // A spread would evaluate getters, which the model computes only on demand.
  return Object.defineProperties({} as Model, {
    ...Object.getOwnPropertyDescriptors(model),
    stream: { value: stream, enumerable: true },
    highestPrice: { value: highestPrice, enumerable: true },
  })
}

/** Computes the cost of a long prompt. Long prompts raise the price of all input, cached or not, by one factor. */
function reprice(reply: ModelReply, price: TokenPrices, long: TokenPrices): ModelReply {
  const { inputTokens = 0, outputTokens, cost } = reply.usage
  if (outputTokens === undefined) return reply
  const usualOutput = (outputTokens * price.output) / million
  const usualInput = cost === undefined ? (inputTokens * price.input) / million : cost - usualOutput
  const longCost = usualInput * (long.input / price.input) + (outputTokens * long.output) / million
  return { ...reply, usage: { ...reply.usage, cost: longCost } }
}

const million = 1_000_000
