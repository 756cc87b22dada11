import type { Agent } from "../../agent/agent.ts"
import { rangeFinder, type Span } from "../../ground/diagnostics/position.ts"
import { settingAt } from "../configuration/setting-place.ts"
import { placeOf } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import { entryPlace } from "../rules/entry-place.ts"
import { readDefinition } from "./file.ts"

interface Configured {
  /** The files of the configuration, the user's before the project's. */
  readonly files: readonly string[]
  readonly mode: string | undefined
}

/** A part of a definition, or one entry of it; or a rule, or a limit, of the configuration. */
type Said =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: "ask" | "deny" }
  | { readonly limit: string }

interface Written {
  readonly at?: string
  readonly mode?: "plan"
}

/** Finds where something is written that took a tool, as `file:line`. Undefined where no file says it. */
export function writtenAt(said: Said, { files, mode }: Configured): Written | undefined {
  if ("agent" in said) return placed(definitionAt(said.agent, said.part, said.index))
  if ("limit" in said) return placed(settingAt(files.toReversed(), ["limits", said.limit]))
  const at = settingAt(files, ["permissions", said.decision], said.rule)
  if (at !== undefined) return { at }
  // Only plan mode denies tools, and no list of the files says so.
  return mode === "plan" && said.decision === "deny"
    ? { mode, ...placed(settingAt(files, ["mode"], mode)) }
    : undefined
}

const placed = (at: string | undefined): Written | undefined => (at === undefined ? undefined : { at })

function definitionAt(agent: Agent, part: string, index: number | undefined): string | undefined {
  const { file, format: id } = agent.origin
  const format = formats.find((one) => one.id === id)
  if (file === undefined || !format) return file
  const { text, locate } = readDefinition(file, format, {})
  const list = part === "tools.deny" && index !== undefined ? agent.tools.deny : undefined
  const place = list
    ? entryPlace({ agent, format, source: { text, locate } }, part, list, index!)
    : placeOf(format, part, index, locate)
  const span = place.type === "span" ? place.span : locate(place)
  return span && place.type !== "start" ? lineOf(file, text, span) : file
}

const lineOf = (file: string, text: string, span: Span): string =>
  `${file}:${rangeFinder(text)(span).start.line}`
