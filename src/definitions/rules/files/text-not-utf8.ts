import type { DiagnosticRule } from "../rule.ts"

export const textNotUtf8: DiagnosticRule = {
  code: "text-not-utf8",
  severity: "error",
  title: "Text in another encoding",
  why: "Read as UTF-8, its letters would come out wrong in names and prompts.",
  fix: "Save it again as UTF-8.",
  example: { unreproducible: "It needs bytes that are not UTF-8, such as a file in UTF-16." },
}
