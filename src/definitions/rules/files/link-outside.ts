import type { DiagnosticRule } from "../rule.ts"

export const linkOutside: DiagnosticRule = {
  code: "link-outside",
  severity: "warning",
  title: "A link that leads out of the project",
  why: "The author of a repository could make cadre read any of your files and send it to a model.",
  fix: "Copy the file into the project, or put the agent into your own folder.",
  example: { unreproducible: "It needs a symbolic link in the project to a place outside of it." },
}
