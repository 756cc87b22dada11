import type { Configuration } from "./configuration.ts"
import { findSettingLine, findSettingValue } from "./setting-place.ts"

type Bounding = Pick<
  Configuration,
  "allowedModels" | "maxModelPrice" | "own" | "models" | "presets" | "files"
>

/** The bounds on models that the configuration sets, in the shape that sources of models take. */
export function getModelBounds(configuration: Partial<Bounding>) {
  const { allowedModels = [], maxModelPrice = {}, own = configuration, files = [] } = configuration
  return {
    allowed: allowedModels,
    maxPrice: maxModelPrice,
    presets: { ...own.models, ...own.presets },
    placeOf(setting: string, value: number | readonly string[]): string | undefined {
      // A list may be written as one text.
      if (typeof value !== "number") return findSettingLine(files, [setting], value[0])
      const place = findSettingValue(files, setting, value)
      return place && `${place.file}:${place.range.start.line}`
    },
  }
}
