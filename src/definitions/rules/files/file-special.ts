import type { DiagnosticRule } from "../rule.ts"

export const fileSpecial: DiagnosticRule = {
  code: "file-special",
  severity: "error",
  title: "An entry that is not a regular file",
  why: "A pipe or a device could block the reader or feed it without end.",
  fix: "Put a regular file there.",
  example: {
    unreproducible: "It needs a pipe, a socket, a device or a folder with the name of a definition.",
  },
}
