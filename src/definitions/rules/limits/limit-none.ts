import type { DiagnosticRule } from "../rule.ts"

export const limitNone: DiagnosticRule = {
  code: "limit-none",
  severity: "info",
  title: "A limit of 0, which means no limit of its own",
  why: "In this format, 0 removes the agent's own limit. The rest of its caller's limit, or the configured limit, still applies.",
  fix: "Nothing to do if you meant it. Otherwise write a number.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\ntimeout: 0\ninstructions: Review the changes.\n",
  },
}
