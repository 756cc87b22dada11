import type { DiagnosticRule } from "../rule.ts"

export const pipelineForeign: DiagnosticRule = {
  code: "pipeline-foreign",
  severity: "warning",
  title: "A pipeline of Gobby, which cadre does not run",
  why: "Nothing runs its steps here, although the file looks like a part of the project.",
  fix: "Write an agent with a `pipeline` in .cadre/agents: prompts become steps for agents, and `condition` becomes `when`.",
  example: {
    unreproducible: "It needs a file of Gobby with `type: pipeline`, such as .gobby/workflows/nightly.yaml.",
  },
}
