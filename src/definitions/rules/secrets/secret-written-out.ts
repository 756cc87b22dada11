import type { DiagnosticRule } from "../rule.ts"

export const secretWrittenOut: DiagnosticRule = {
  code: "secret-written-out",
  severity: "warning",
  title: "A token that stands in the file",
  why: "Everybody who reads the file has it. It is not kept with the agent, so that it reaches no log.",
  fix: "Put it in a variable of the environment and refer to that, and change it if the file was ever shared.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\napi_token: not-a-variable\ninstructions: Review the changes.\n",
  },
}
