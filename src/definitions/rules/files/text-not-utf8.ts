import type { DiagnosticRule } from "../rule.ts"

export const textNotUtf8: DiagnosticRule = {
  code: "text-not-utf8",
  severity: "error",
  title: "Text in another encoding",
  why: "Read as UTF-8 its letters would be wrong ones, in names and in prompts.",
  fix: "Save it again as UTF-8.",
  example: { unreproducible: "It takes bytes that are no UTF-8, such as those of a file in UTF-16." },
}
