import type { DiagnosticRule } from "../rule.ts"

export const nameCollision: DiagnosticRule = {
  code: "name-collision",
  severity: "warning",
  title: "One name twice in one folder",
  why: "Which of the two is used depends on the order of files, and differs from host to host.",
  fix: "Rename or remove one of them.",
  example: {
    unreproducible: "The registry reports it, for two files of one folder that both say `name: reviewer`.",
  },
}
