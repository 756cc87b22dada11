import type { DiagnosticRule } from "../rule.ts"

export const nameCollision: DiagnosticRule = {
  code: "name-collision",
  severity: "warning",
  title: "Two agents of one name in one folder",
  why: "The order of the files decides which one is used, and it differs from host to host.",
  fix: "Rename or remove one of them.",
  example: {
    unreproducible: "The registry reports it, for two files of one folder that both say `name: reviewer`.",
  },
}
