import type { Agent, PermissionRule, RuleDecision } from "../../agent/agent.ts"
import { createRangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import { findSettingLine } from "../configuration/setting-place.ts"
import { placeOfPart } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { locateEntry } from "../rules/entry-place.ts"
import { readDefinition } from "./file.ts"

interface Configured {
  /** The configuration files, the user's before the project's. */
  readonly files: readonly string[]
  /** The permission mode, with its rules and its default. */
  readonly mode:
    | {
        readonly type: string
        readonly rules: readonly PermissionRule[]
        readonly otherwise: RuleDecision
      }
    | undefined
}

/** The part of a definition, or the rule, default or limit of the configuration, that decided. */
type Restriction =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: RuleDecision }
  | { readonly otherwise: RuleDecision }
  | { readonly limit: string }

interface WrittenPlace {
  readonly at?: string
  readonly mode?: string
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
  const at =
    "rule" in restriction
      ? findSettingLine(files, ["permissions", restriction.decision], restriction.rule)
      : undefined
  if (at !== undefined) return { at }
  if (!mode) return undefined
  // A mode also decides, although no list of the files does.
  const isOfMode =
    "rule" in restriction
      ? mode.rules.some(
          ({ tool, decision }) => tool === restriction.rule && decision === restriction.decision,
        )
      : mode.otherwise === restriction.otherwise
  return isOfMode ? { mode: mode.type, ...asPlace(findSettingLine(files, ["mode"], mode.type)) } : undefined
}

const asPlace = (at: string | undefined): WrittenPlace | undefined => (at === undefined ? undefined : { at })

function definitionAt(agent: Agent, part: string, index: number | undefined): string | undefined {
  const { file, format: id } = agent.origin
  const format = formats.find((one) => one.id === id)
  if (file === undefined || !format) return file
  const { text, locate } = readDefinition(file, format, {})
  const list = part === "tools.deny" && index !== undefined ? agent.tools.deny : undefined
  const place = list
    ? locateEntry({ agent, format, source: { text, locate } }, part, list, index!)
    : placeOfPart(format, part, index, locate)
  const span = place.type === "span" ? place.span : locate(place)
  return span && place.type !== "start" ? lineOf(file, text, span) : file
}

const lineOf = (file: string, text: string, span: Span): string =>
  `${file}:${createRangeFinder(text)(span).start.line}`
