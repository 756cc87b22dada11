import { fitValue } from "../../ground/keys.ts"
import { unknownKeys } from "../../ground/known-keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { type WorkflowPart, workflowParts } from "../formats/workflow-keys.ts"
import { gobbyKeys } from "./gobby.ts"
import { type Reading, unheard } from "./reading.ts"

/** The values of a part as its keys take them; null is the same as left out, where that allows no more. What is wrong is told. */
export function readPart(part: WorkflowPart, value: Json, reading: Reading): JsonMap | undefined {
  if (!isMap(value)) {
    reading.tell({ path: [], message: `${nouns[part]} must be keys and values.` })
    return undefined
  }
  const keys = workflowParts[part]
  const found: Record<string, Json> = {}
  for (const { key, type, required, narrows } of keys) {
    const given = narrows ? value[key] : (value[key] ?? undefined)
    if (given === undefined) {
      if (required) reading.tell({ path: [], message: `${nouns[part]} needs \`${key}\`.` })
      continue
    }
    const fit = fitValue(type, given)
    if ("value" in fit) found[key] = fit.value
    else
      reading.tell({
        path: [key],
        message: (key === "type" && otherTypes[String(given)]) || `\`${key}\` must be ${fit.expected}.`,
      })
  }
  // Whatever else stands in these is an effect, and read as one.
  if (part === "entry" || part === "reaction") return found
  const known = [...keys.map(({ key }) => key), ...(reading.as === "gobby" ? (gobbyKeys[part] ?? []) : [])]
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const instead = part === "step" ? refusedKeys[key] : undefined
    if (instead !== undefined)
      reading.tell({
        path: [key],
        about: "key",
        code: "workflow-foreign",
        message: `\`${key}\` of a step is not followed here. ${instead}.`,
      })
    // Gobby takes any setting, and none forbids anything.
    else
      for (const problem of unknownKeys([key], known, () => `\`${key}\` is no key of ${nouns[part]}`))
        reading.tell({ ...problem, ...(reading.as === "gobby" && part === "settings" && unheard) })
  }
  return found
}

/** What forbids, or ends something, in Gobby's files and is not followed here: passing it over would allow more than they say. */
const refusedKeys: Readonly<Record<string, string>> = {
  exit_conditions: "Write it as `exit_when`",
  on_mcp_before: "Write it as a hook at `before_tool`, with `step` in its condition",
}

/** What else a file of Gobby's may be. */
export const otherTypes: Readonly<Record<string, string>> = {
  lifecycle: "this is a set of hooks, and no workflow: an agent picks it with `lifecycle`.",
  pipeline: "this is a pipeline, which is run by itself, and no workflow of an agent.",
}

const nouns: Readonly<Record<WorkflowPart, string>> = {
  workflow: "a workflow",
  step: "a step",
  transition: "a transition",
  entry: "what happens",
  reaction: "what happens after a call",
  stop: "`on_premature_stop`",
  settings: "`settings`",
}
