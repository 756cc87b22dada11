import { findVariablesProblem } from "../../../agent/variable.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"

export const variableInvalid: DiagnosticRule = {
  code: "variable-invalid",
  severity: "error",
  title: "A variable that cannot be set",
  why: "Some names belong to the runtime, so that conditions can rely on them. An agent that sets one of them does not start.",
  fix: "Give the variable another name.",
  example: {
    file: ".cadre/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\nvariables: { task: review }\n---\n\nReview the changes.\n",
  },
  check(subject) {
    const problem = findVariablesProblem(subject.agent.variables)
    if (problem === undefined) return
    subject.report({ message: `T${problem.slice(1)}.`, at: locatePart(subject, "variables") })
  },
}
