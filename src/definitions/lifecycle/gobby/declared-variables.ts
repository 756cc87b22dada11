import { isMap, type Json, mapOf } from "../../../ground/message.ts"
import { findAction } from "./actions.ts"
import { trackedVariables } from "./track.ts"

/** The variables that a file of Gobby's sets anywhere. Its conditions may use them without `variables.`. */
export function listDeclaredVariables(value: Json): readonly string[] {
  const { variables, session_variables } = mapOf(value)
  return [
    ...Object.keys(mapOf(variables ?? null)),
    ...Object.keys(mapOf(session_variables ?? null)),
    ...Object.values(trackedVariables).flat(),
    "_tool_block_pending",
    ...setIn(value),
  ]
}

function setIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(setIn)
  if (!isMap(value)) return []
  const { type, action = type, variable, name = variable, set_variable, set, output_as } = value
  const isSet = action === "set_variable" || action === "increment_variable"
  return [
    ...(isSet && typeof name === "string" ? [name] : []),
    ...(typeof output_as === "string" ? [output_as] : []),
    ...Object.keys(mapOf(set_variable ?? null)),
    ...Object.keys(mapOf(set ?? null)),
    ...Object.values(value).flatMap(setIn),
  ]
}

/** The variables in which unsupported actions would have stored their results. */
export function listUndoneOutputs(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listUndoneOutputs)
  if (!isMap(value)) return []
  const { action, output_as } = value
  const isUndone = typeof action === "string" && findAction(action)?.type === "passed-over"
  return [
    ...(isUndone && typeof output_as === "string" ? [output_as] : []),
    ...Object.values(value).flatMap(listUndoneOutputs),
  ]
}
