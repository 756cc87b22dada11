import type {
  ExplainedConfiguration,
  SettingSource,
  SourcedValue,
} from "../../../definitions/configuration/explain.ts"
import { placeOfPart } from "../../../definitions/formats/format.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import { createRangeFinder } from "../../../ground/diagnostics/position.ts"
import type { Json } from "../../../ground/message.ts"

/** The place that a value comes from. */
export type ValueSource =
  | { readonly type: "call" }
  | { readonly type: "definition"; readonly file: string; readonly line: number; readonly column: number }
  /** The file does not have the value, so it is the default of the format. */
  | { readonly type: "format"; readonly format: string }
  | ConfigurationFrom
  | { readonly type: "environment"; readonly variable: string }
  | { readonly type: "parent"; readonly agent: string }
  /** The user's Codex configuration has the value. */
  | { readonly type: "codex"; readonly at: readonly string[] }
  /** A hook file of Gobby has the value. */
  | { readonly type: "lifecycle" }
  | { readonly type: "default" }

interface ConfigurationFrom {
  readonly type: "configuration"
  readonly of: "user" | "project"
  readonly file: string
  readonly key: string
  /** The project's configuration is not trusted, so the value does not take effect. */
  readonly untrusted?: true
}

/** Returns a function that finds the place of a part of the definition, or of one entry of that part. */
export function createPlaceFinder({
  candidate: { agent, file },
}: RegistryEntry): (part: string, entry?: string | number) => ValueSource {
  const rangeOf = file && createRangeFinder(file.text)
  return (part, entry) => {
    const place = file && placeOfPart(file.format, part, undefined, file.locate)
    if (!file || place?.type !== "value") return { type: "format", format: agent.origin.format }
    const inner = entry === undefined ? undefined : file.locate({ ...place, path: [...place.path, entry] })
    // A list that is written with commas is one string, so its entries have no places of their own.
    const span = inner ?? file.locate(place)
    return span
      ? { type: "definition", file: file.path, ...rangeOf!(span).start }
      : { type: "format", format: agent.origin.format }
  }
}

/** The effective value of a setting, if there is one, and the values that it overrides. */
export interface SettingValues {
  readonly effective: FoundValue | undefined
  readonly over: readonly FoundValue[]
}

interface FoundValue {
  readonly value: Json
  readonly from: ValueSource
}

/** Returns a function that finds where a setting comes from. Values of an untrusted project are listed but not effective. */
export function createSettingFinder(
  { settings, values }: ExplainedConfiguration,
  project: "followed" | "untrusted",
): (key: string) => SettingValues {
  return (key) => {
    const setting = settings.find((one) => one.key === key)
    const effective = project === "untrusted" ? (setting?.untrusted ?? setting) : setting
    const located = ({ value, from }: SourcedValue) => ({ value, from: fromOf(from, key, project) })
    return {
      effective:
        effective?.value === undefined
          ? undefined
          : located({ value: effective.value, from: effective.from }),
      over: (values.get(key) ?? []).filter(({ from }) => !isSame(from, effective?.from)).map(located),
    }
  }
}

const isSame = (one: SettingSource, other: SettingSource | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

function fromOf(source: SettingSource, key: string, project: "followed" | "untrusted"): ValueSource {
  if (source.type === "default" || source.type === "environment") return source
  const { type: of, file } = source
  const isRefused = of === "project" && project === "untrusted"
  return { type: "configuration", of, file, key, ...(isRefused && { untrusted: true }) }
}
