import { findLooseEnds } from "../../workflow/ways.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { locateInWorkflow, readOwnWorkflow } from "./workflow-of.ts"

export const stepUnreachable: DiagnosticRule = {
  code: "step-unreachable",
  severity: "warning",
  title: "A step that no run reaches",
  why: "A run begins in the first step and moves by transitions and `exit_when`. None of them leads to this step.",
  fix: "Add a transition that leads there, add an `exit_when` to the step before it, or remove the step.",
  example: {
    file: ".cadre/agents/developer.md",
    text: "---\nname: developer\ndescription: Develops features.\nworkflow:\n  steps:\n    - name: implement\n    - name: terminate\n---\n\nDevelop the feature.\n",
  },
  about: "workflow",
  check(subject) {
    const workflow = readOwnWorkflow(subject)?.workflow
    if (!workflow) return
    for (const { step, index, type } of findLooseEnds(workflow))
      if (type === "unreachable")
        subject.report({
          message: `No run reaches the step \`${shorten(step)}\`: no transition names it, and the step before it has no \`exit_when\`.`,
          at: locateInWorkflow(subject, { path: ["steps", index, "name"] }),
        })
  },
}
