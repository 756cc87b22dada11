import type { TokenPrices } from "../../agent/model.ts"
import { isMap, type JsonMap } from "../../ground/message.ts"
import type { ModelFacts } from "./facts/table.ts"
import { sightWords } from "./sees.ts"
import type { ModelTarget } from "./target.ts"

/**
 * Finds the price, window and input types that presets give a model. A run's log does not contain them, so they are
 * looked up again.
 */
export function findPresetFacts(
  provider: string,
  model: string,
  presets: JsonMap,
  resolve: (name: string) => ModelTarget,
): ModelFacts {
  let facts: ModelFacts = {}
  for (const [name, preset] of Object.entries(presets)) {
    if (
      !isMap(preset) ||
      (preset.price === undefined && preset.window === undefined && preset.sees === undefined)
    )
      continue
    const use = useOf(name, resolve)
    if (use === undefined || "name" in use || use.provider !== provider || use.model !== model) continue
    const { price, window, sees } = preset
    facts = {
      ...facts,
      ...(isPrice(price) && { price }),
      ...(typeof window === "number" && Number.isInteger(window) && window > 0 && { window }),
      ...(Array.isArray(sees) && { sees: sightWords.filter((word) => sees.includes(word)) }),
    }
  }
  return facts
}

function useOf(name: string, resolve: (name: string) => ModelTarget): ModelTarget["use"] | undefined {
  try {
    return resolve(name).use
  } catch {
    // A caller that uses the preset itself gets the error.
    return undefined
  }
}

function isPrice(value: unknown): value is TokenPrices {
  if (!isMap(value)) return false
  const { input, output, cacheRead = 0, cacheWrite = 0 } = value
  return [input, output, cacheRead, cacheWrite].every((price) => typeof price === "number" && price >= 0)
}
