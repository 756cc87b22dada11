import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import type { DecisionCause } from "../../../run/log/event-rights.ts"

/** Names what decided about a call, in a few words: the rule and its place, a mode, a hook, a person. */
export function describeCause(cause: DecisionCause, directory?: string): string {
  const { at } = cause
  return `${reasonText(cause)}${at === undefined ? "" : ` (${toDisplayPath(at, directory)})`}`
}

/** The place of a rule also tells its owner. */
function reasonText(cause: DecisionCause): string {
  switch (cause.type) {
    case "rule":
      return `rule ${cause.rule}${cause.at === undefined ? ` of ${cause.of}` : ""}`
    case "mode":
      return `mode ${cause.mode}${cause.agent === undefined ? "" : ` of agent "${cause.agent}"`}`
    case "default":
      return cause.of === undefined ? "default" : `default of ${cause.of}`
    case "unclear":
      return `unclear effects, ${cause.of}`
    case "hook":
      return cause.hook === undefined ? "a hook" : `hook "${cause.hook}"`
    case "person":
      return cause.note === undefined ? "a person" : `a person: ${cause.note}`
    case "step":
      return cause.step === undefined ? "a step" : `step ${cause.step}`
    case "time":
      return "no answer in time"
    case "tools":
      return "its tools"
  }
}
