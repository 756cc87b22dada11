import type { DiagnosticRule } from "../rule.ts"

export const limitNone: DiagnosticRule = {
  code: "limit-none",
  severity: "info",
  title: "A limit of 0 that means no limit of its own",
  why: "In this format 0 takes the agent's own limit away; what is left of its caller's, or the configured one, still holds.",
  fix: "Nothing, where it is meant. Otherwise write a number.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\ntimeout: 0\ninstructions: Review the changes.\n",
  },
}
