import type { Agent } from "../../agent/agent.ts"
import { rangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import { findSettingLine } from "../configuration/setting-place.ts"
import { placeOfPart } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { entryPlace } from "../rules/entry-place.ts"
import { readDefinition } from "./file.ts"

interface Configured {
  /** The configuration files, the user's before the project's. */
  readonly files: readonly string[]
  readonly mode: string | undefined
}

/** The part of a definition, or the rule or limit of the configuration, that took a tool. */
type Restriction =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: "ask" | "deny" }
  | { readonly limit: string }

interface WrittenPlace {
  readonly at?: string
  readonly mode?: "plan"
}

/** Finds the place of a restriction, as `file:line`. Undefined if no file contains it. */
export function findRestriction(
  restriction: Restriction,
  { files, mode }: Configured,
): WrittenPlace | undefined {
  if ("agent" in restriction)
    return asPlace(definitionAt(restriction.agent, restriction.part, restriction.index))
  if ("limit" in restriction)
    return asPlace(findSettingLine(files.toReversed(), ["limits", restriction.limit]))
  const at = findSettingLine(files, ["permissions", restriction.decision], restriction.rule)
  if (at !== undefined) return { at }
  // Plan mode also denies tools, although no list of the files does.
  return mode === "plan" && restriction.decision === "deny"
    ? { mode, ...asPlace(findSettingLine(files, ["mode"], mode)) }
    : undefined
}

const asPlace = (at: string | undefined): WrittenPlace | undefined => (at === undefined ? undefined : { at })

function definitionAt(agent: Agent, part: string, index: number | undefined): string | undefined {
  const { file, format: id } = agent.origin
  const format = formats.find((one) => one.id === id)
  if (file === undefined || !format) return file
  const { text, locate } = readDefinition(file, format, {})
  const list = part === "tools.deny" && index !== undefined ? agent.tools.deny : undefined
  const place = list
    ? entryPlace({ agent, format, source: { text, locate } }, part, list, index!)
    : placeOfPart(format, part, index, locate)
  const span = place.type === "span" ? place.span : locate(place)
  return span && place.type !== "start" ? lineOf(file, text, span) : file
}

const lineOf = (file: string, text: string, span: Span): string =>
  `${file}:${rangeFinder(text)(span).start.line}`
