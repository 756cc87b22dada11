import type { ExplainedConfiguration, Said, SaidValue } from "../../../definitions/configuration/explain.ts"
import { placeOf } from "../../../definitions/formats/format.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import { rangeFinder } from "../../../ground/diagnostics/position.ts"
import type { Json } from "../../../ground/message.ts"

/** Where something is said. */
export type From =
  | { readonly type: "call" }
  | { readonly type: "definition"; readonly file: string; readonly line: number; readonly column: number }
  /** The file does not say it: its format does. */
  | { readonly type: "format"; readonly format: string }
  | ConfigurationFrom
  | { readonly type: "environment"; readonly variable: string }
  | { readonly type: "parent"; readonly agent: string }
  /** The user's Codex configuration says it. */
  | { readonly type: "codex"; readonly at: readonly string[] }
  /** A file of hooks says it. */
  | { readonly type: "lifecycle" }
  | { readonly type: "default" }

interface ConfigurationFrom {
  readonly type: "configuration"
  readonly of: "user" | "project"
  readonly file: string
  readonly key: string
  /** Nobody trusts it, so it is not followed. */
  readonly untrusted?: true
}

/** Finds the place in a definition that says a part of it, or an entry of that part. */
export function placeFinder({
  candidate: { agent, file },
}: Entry): (part: string, entry?: string | number) => From {
  const rangeOf = file && rangeFinder(file.text)
  return (part, entry) => {
    const place = file && placeOf(file.format, part, undefined, file.locate)
    if (!file || place?.type !== "value") return { type: "format", format: agent.origin.format }
    const inner = entry === undefined ? undefined : file.locate({ ...place, path: [...place.path, entry] })
    // A list with commas is one text.
    const span = inner ?? file.locate(place)
    return span
      ? { type: "definition", file: file.path, ...rangeOf!(span).start }
      : { type: "format", format: agent.origin.format }
  }
}

/** A setting that holds, if anything does, and what else is said of it. */
export interface FoundSetting {
  readonly holds: FoundValue | undefined
  readonly over: readonly FoundValue[]
}

interface FoundValue {
  readonly value: Json
  readonly from: From
}

/** Finds who says a setting. What an untrusted project says is told, and does not hold. */
export function settingFinder(
  { settings, said }: ExplainedConfiguration,
  project: "followed" | "untrusted",
): (key: string) => FoundSetting {
  return (key) => {
    const setting = settings.find((one) => one.key === key)
    const held = project === "untrusted" ? (setting?.untrusted ?? setting) : setting
    const found = ({ value, from }: SaidValue) => ({ value, from: fromOf(from, key, project) })
    return {
      holds: held?.value === undefined ? undefined : found({ value: held.value, from: held.from }),
      over: (said.get(key) ?? []).filter(({ from }) => !isSame(from, held?.from)).map(found),
    }
  }
}

const isSame = (one: Said, other: Said | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)

function fromOf(said: Said, key: string, project: "followed" | "untrusted"): From {
  if (said.type === "default" || said.type === "environment") return said
  const { type: of, file } = said
  const isRefused = of === "project" && project === "untrusted"
  return { type: "configuration", of, file, key, ...(isRefused && { untrusted: true }) }
}
