import { fitValue } from "../../ground/keys.ts"
import { findUnknownKeyProblems } from "../../ground/known-keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type WorkflowPart, workflowParts } from "../formats/workflow-keys.ts"
import { gobbyKeys } from "./gobby.ts"
import { noEffectWarning, type WorkflowReading } from "./reading.ts"

/** Reads the values of a part, and reports problems. Null counts as left out, except for keys that restrict something. */
export function readWorkflowPart(
  part: WorkflowPart,
  value: Json,
  reading: WorkflowReading,
): JsonMap | undefined {
  if (!isMap(value)) {
    reading.tell({ path: [], message: `${nouns[part]} must be keys and values.` })
    return undefined
  }
  const keys = workflowParts[part]
  const values: Record<string, Json> = {}
  for (const { key, type, required, narrows } of keys) {
    const keyValue = narrows ? value[key] : (value[key] ?? undefined)
    if (keyValue === undefined) {
      if (required) reading.tell({ path: [], message: `${nouns[part]} needs \`${key}\`.` })
      continue
    }
    const fit = fitValue(type, keyValue)
    if ("value" in fit) values[key] = fit.value
    else
      reading.tell({
        path: [key],
        message: (key === "type" && otherTypes[String(keyValue)]) || `\`${key}\` must be ${fit.expected}.`,
      })
  }
  // All other keys of these parts are effects, which are read elsewhere.
  if (part === "entry" || part === "reaction") return values
  const knownKeys = [
    ...keys.map(({ key }) => key),
    ...(reading.as === "gobby" ? (gobbyKeys[part] ?? []) : []),
  ]
  for (const key of Object.keys(value)) {
    if (knownKeys.includes(key)) continue
    const instead = part === "step" ? refusedKeys[key] : undefined
    if (instead !== undefined)
      reading.tell({
        path: [key],
        about: "key",
        code: "workflow-foreign",
        message: `\`${key}\` of a step is not supported here. ${instead}.`,
      })
    // Gobby accepts any setting, and no setting forbids anything, so an unknown one is only a warning.
    else
      for (const problem of findUnknownKeyProblems(
        [key],
        knownKeys,
        () => `\`${key}\` is not a key of ${nouns[part]}`,
      ))
        reading.tell({ ...problem, ...(reading.as === "gobby" && part === "settings" && noEffectWarning) })
  }
  return values
}

/** Keys of Gobby's files that forbid or end something and are not supported. Skipping them would allow too much. */
const refusedKeys: Readonly<Record<string, string>> = {
  exit_conditions: "Write it as `exit_when`",
  on_mcp_before: "Write it as a hook at `before_tool`, with `step` in its condition",
}

/** The messages for files of Gobby's that are not workflows. */
export const otherTypes: Readonly<Record<string, string>> = {
  lifecycle: "this is a set of hooks, not a workflow. An agent picks it with `lifecycle`.",
  pipeline: "this is a pipeline, which runs by itself, not a workflow of an agent.",
}

const nouns: Readonly<Record<WorkflowPart, string>> = {
  workflow: "a workflow",
  step: "a step",
  transition: "a transition",
  entry: "an entry",
  reaction: "a reaction to a call",
  stop: "`on_premature_stop`",
  settings: "`settings`",
}
