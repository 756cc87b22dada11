import type { DiagnosticRule } from "../rule.ts"

export const fileSpecial: DiagnosticRule = {
  code: "file-special",
  severity: "error",
  title: "Something that is no regular file",
  why: "A pipe or a device could block the reader or feed it without end.",
  fix: "Put a regular file there.",
  example: {
    unreproducible: "It takes a pipe, a socket, a device or a folder with the name of a definition.",
  },
}
