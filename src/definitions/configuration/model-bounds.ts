import type { Configuration } from "./configuration.ts"
import { settingAt, valuePlace } from "./setting-place.ts"

type Bounding = Pick<
  Configuration,
  "allowedModels" | "maxModelPrice" | "own" | "models" | "presets" | "files"
>

/** Which models may be asked, as sources of models take it. */
export function modelBounds(configuration: Partial<Bounding>) {
  const { allowedModels = [], maxModelPrice = {}, own = configuration, files = [] } = configuration
  return {
    allowed: allowedModels,
    maxPrice: maxModelPrice,
    presets: { ...own.models, ...own.presets },
    placeOf(setting: string, value: number | readonly string[]): string | undefined {
      // A list may be written as one text.
      if (typeof value !== "number") return settingAt(files, [setting], value[0])
      const place = valuePlace(files, setting, value)
      return place && `${place.file}:${place.range.start.line}`
    },
  }
}
