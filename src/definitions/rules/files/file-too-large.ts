import type { DiagnosticRule } from "../rule.ts"

export const fileTooLarge: DiagnosticRule = {
  code: "file-too-large",
  severity: "error",
  title: "A file that is too large",
  why: "A definition is a few pages of text. A file of more than a megabyte is something else, and would fill a model's context.",
  fix: "Shorten it, or move it out of the folder.",
  example: { unreproducible: "It needs a file of more than a megabyte." },
}
