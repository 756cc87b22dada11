import type { DiagnosticRule } from "../rule.ts"

export const linkOutside: DiagnosticRule = {
  code: "link-outside",
  severity: "warning",
  title: "A link that leads out of the project",
  why: "Whoever wrote the repository could have any file of yours read and sent to a model.",
  fix: "Copy the file into the project, or put the agent into your own folder.",
  example: { unreproducible: "It takes a symbolic link in the project to a place outside of it." },
}
