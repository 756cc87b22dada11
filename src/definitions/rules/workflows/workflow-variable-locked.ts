import { describeLockedVariable } from "../../../agent/variable.ts"
import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import type { HookEffect } from "../../lifecycle/hook.ts"
import type { Workflow } from "../../workflow/workflow.ts"
import type { DiagnosticRule, Subject } from "../rule.ts"
import { listReactions, locateInWorkflow, readOwnWorkflow } from "./workflow-of.ts"

export const workflowVariableLocked: DiagnosticRule = {
  code: "workflow-variable-locked",
  severity: "warning",
  title: "A workflow that sets a locked variable",
  why: "The user's configuration locks this variable. The workflow does not change it, and no transition happens as if it had.",
  fix: "Set another variable, or remove the name from `locked_variables`.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n      on_enter: { set_variable: { release_allowed: true } }\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject, { lockedVariables = [] }) {
    const workflow = lockedVariables.length > 0 ? readOwnWorkflow(subject)?.workflow : undefined
    if (!workflow) return
    for (const { name, ...place } of settingsIn(subject, workflow))
      if (lockedVariables.includes(name))
        subject.report({
          message: `T${describeLockedVariable(name).slice(1)} (\`locked_variables\`), so it is not set.`,
          at: locateInWorkflow(subject, place),
        })
  },
}

type Setting = Pick<PlacedProblem, "path" | "about"> & { readonly name: string }

/** Every variable that a workflow sets, with its place. */
const settingsIn = (subject: Subject, workflow: Workflow): readonly Setting[] => [
  ...Object.keys(workflow.variables).map((name) => ({
    name,
    path: ["variables", name],
    about: "key" as const,
  })),
  ...listReactions(subject, workflow).flatMap(({ reaction, path }) =>
    reaction.effects.flatMap(variablesOf).map((name) => ({ name, path })),
  ),
]

function variablesOf(effect: HookEffect): readonly string[] {
  if (effect.type === "set_variable") return [effect.name]
  return effect.type === "spawn_agent" ? Object.keys(effect.variables ?? {}) : []
}
