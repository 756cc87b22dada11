import { isMap, type Json } from "../../ground/message.ts"
import type { Values } from "./document/document.ts"
import type { Path } from "./document/yaml.ts"
import type { FieldReading } from "./fields/field.ts"
import { explainInner } from "./fields/unknown-key.ts"
import { workflowParts } from "./workflow-keys.ts"

/** What a step can say here, and what Gobby's can besides: what of that is not followed is told elsewhere. */
const stepKeys: ReadonlySet<string> = new Set([
  ...workflowParts.step.map(({ key }) => key),
  "blocked_commands",
  "check_rules",
  "exit_conditions",
  "on_mcp_before",
  "on_premature_stop",
  "rules",
])

/** What stands below `workflows` beside workflows by name. */
const workflowKeys: ReadonlySet<string> = new Set([
  "variables",
  "rule_selectors",
  "skill_selectors",
  "variable_selectors",
  "rules",
  "skill_format",
  "pipeline",
])

/** Steps narrow what may be used while they last, so a slip in them widens it as one at the top does. */
export function reportSteps(values: Values, reading: FieldReading): void {
  reportEach(values.steps, ["steps"], reading)
  if (isMap(values.step_workflow)) reportEach(values.step_workflow.steps, ["step_workflow", "steps"], reading)
  if (!isMap(values.workflows)) return
  for (const [name, value] of Object.entries(values.workflows)) {
    // Keys and values are a workflow, which may be called anything.
    if (isMap(value)) reportEach(value.steps, ["workflows", name, "steps"], reading)
    else if (!workflowKeys.has(name)) report(["workflows", name], workflowKeys, "`workflows`", reading)
  }
}

function reportEach(steps: Json | undefined, path: Path, reading: FieldReading): void {
  if (!Array.isArray(steps)) return
  for (const [index, step] of steps.entries())
    for (const key of isMap(step) ? Object.keys(step) : [])
      if (!stepKeys.has(key)) report([...path, index, key], stepKeys, "a step", reading)
}

const report = (path: Path, known: ReadonlySet<string>, of: string, reading: FieldReading): void =>
  reading.report(
    explainInner(path, known, {
      is: `\`${path.at(-1)}\` is no key of ${of} of Gobby`,
      otherwise: ": it is kept and has no effect.",
      severity: "info",
    }),
  )
