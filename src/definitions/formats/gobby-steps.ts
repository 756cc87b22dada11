import { isMap, type Json } from "../../ground/message.ts"
import type { Values } from "./document/document.ts"
import type { KeyPath } from "./document/yaml.ts"
import type { FieldReading } from "./fields/field.ts"
import { explainInnerKey } from "./fields/unknown-key.ts"
import { workflowParts } from "./workflow-keys.ts"

/** The keys of a step in cadre, and further keys of Gobby's steps, whose lack of effect is reported elsewhere. */
const stepKeys: ReadonlySet<string> = new Set([
  ...workflowParts.step.map(({ key }) => key),
  "blocked_commands",
  "check_rules",
  "exit_conditions",
  "on_mcp_before",
  "on_premature_stop",
  "rules",
])

/** The keys below `workflows` that are not names of workflows. */
const workflowKeys: ReadonlySet<string> = new Set([
  "variables",
  "rule_selectors",
  "skill_selectors",
  "variable_selectors",
  "rules",
  "skill_format",
  "pipeline",
])

/** Reports unknown keys of steps. A step narrows the usable tools, so a misspelt key in it would widen them. */
export function reportSteps(values: Values, reading: FieldReading): void {
  reportEach(values.steps, ["steps"], reading)
  if (isMap(values.step_workflow)) reportEach(values.step_workflow.steps, ["step_workflow", "steps"], reading)
  if (!isMap(values.workflows)) return
  for (const [name, value] of Object.entries(values.workflows)) {
    // A map is a workflow, which may have any name.
    if (isMap(value)) reportEach(value.steps, ["workflows", name, "steps"], reading)
    else if (!workflowKeys.has(name)) report(["workflows", name], workflowKeys, "`workflows`", reading)
  }
}

function reportEach(steps: Json | undefined, path: KeyPath, reading: FieldReading): void {
  if (!Array.isArray(steps)) return
  for (const [index, step] of steps.entries())
    for (const key of isMap(step) ? Object.keys(step) : [])
      if (!stepKeys.has(key)) report([...path, index, key], stepKeys, "a step", reading)
}

const report = (path: KeyPath, knownKeys: ReadonlySet<string>, of: string, reading: FieldReading): void =>
  reading.report(
    explainInnerKey(path, knownKeys, {
      is: `\`${path.at(-1)}\` is not a key of ${of} of Gobby`,
      otherwise: ": it is kept and has no effect.",
      severity: "info",
    }),
  )
