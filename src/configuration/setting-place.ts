import { rangeFinder } from "../diagnostics/position.ts"
import type { StartPlace } from "../errors.ts"
import { readSourceFile } from "../formats/source.ts"
import { locateYaml, readYaml } from "../formats/yaml.ts"
import type { Json } from "../message.ts"
import type { Configuration } from "./configuration.ts"

/** Where the setting stands that holds; undefined where no file says it, but the environment or nobody. */
export function settingPlace(
  configuration: Pick<Configuration, "files" | "model" | "subagents">,
  setting: string,
): StartPlace | undefined {
  const holds = setting === "subagents.enabled" ? configuration.subagents.enabled : configuration.model
  const path = setting.split(".")
  for (const file of configuration.files.toReversed()) {
    const reading = readSourceFile(file)
    if (reading.type === "refused") continue
    const { text } = reading.source
    const yaml = readYaml(text)
    if (yaml.type === "invalid" || valueAt(yaml.value, path) !== holds) continue
    const span = locateYaml(text)(path, "value")
    if (span) return { file, range: rangeFinder(text)(span) }
  }
  return undefined
}

const valueAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (inner as Record<string, Json> | null)?.[key], value)
