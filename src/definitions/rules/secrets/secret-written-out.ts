import type { DiagnosticRule } from "../rule.ts"

export const secretWrittenOut: DiagnosticRule = {
  code: "secret-written-out",
  severity: "warning",
  title: "A token written out in the file",
  why: "Everyone who reads the file has the token. It is not stored with the agent, so it reaches no log.",
  fix: "Put the token in an environment variable and refer to that. Replace the token if the file was ever shared.",
  example: {
    file: ".gobby/agents/reviewer.yaml",
    text: "name: reviewer\ndescription: Reviews changes.\napi_token: not-a-variable\ninstructions: Review the changes.\n",
  },
}
