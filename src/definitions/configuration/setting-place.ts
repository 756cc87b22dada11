import { createRangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import type { StartPlace } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { locateYaml, readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"
import type { Configuration } from "./configuration.ts"

/** The place of the effective setting; undefined if the environment or no source sets it. */
export function findEffectiveSetting(
  configuration: Pick<Configuration, "files" | "model" | "subagents">,
  setting: string,
): StartPlace | undefined {
  const effective = setting === "subagents.enabled" ? configuration.subagents.enabled : configuration.model
  return effective === undefined ? undefined : findSettingValue(configuration.files, setting, effective)
}

/** The place of a setting with this value, in the last of the files that have it. */
export function findSettingValue(
  files: readonly string[],
  setting: string,
  value: string | number | boolean,
): StartPlace | undefined {
  const path = setting.split(".")
  for (const file of files.toReversed()) {
    const reading = readSourceFile(file)
    if (reading.type === "refused") continue
    const { text } = reading.source
    const yaml = readYaml(text)
    if (yaml.type === "invalid" || valueAt(yaml.value, path) !== value) continue
    const span = locateYaml(text)(path, "value")
    if (span) return { file, range: createRangeFinder(text)(span) }
  }
  return undefined
}

/** The place where a file sets this key, as `file:line`. With `entry`, the place of that item in the list. */
export function findSettingLine(
  files: readonly string[],
  path: readonly string[],
  entry?: string,
): string | undefined {
  for (const file of files) {
    const reading = readSourceFile(file)
    if (reading.type === "refused") continue
    const { text } = reading.source
    const yaml = readYaml(text)
    const value = yaml.type === "invalid" ? undefined : valueAt(yaml.value, path)
    if (value === undefined) continue
    const locate = locateYaml(text)
    const index = Array.isArray(value) ? value.indexOf(entry ?? "") : -1
    const span = locate(index < 0 ? path : [...path, index], "value")
    const match = span && (entry === undefined || index >= 0 ? span : wordIn(text, span, entry))
    if (match) return lineOf(file, text, match)
  }
  return undefined
}

/** Finds an entry in a list that is written as one text with commas. */
function wordIn(text: string, { start, end }: Span, word: string): Span | undefined {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const match = new RegExp(`(?<=^|[\\s,'"])${escaped}(?=$|[\\s,'"])`).exec(text.slice(start, end))
  return match ? { start: start + match.index, end: start + match.index + word.length } : undefined
}

const lineOf = (file: string, text: string, span: Span): string =>
  `${file}:${createRangeFinder(text)(span).start.line}`

const valueAt = (value: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((inner, key) => (inner as Record<string, Json> | null)?.[key], value)
