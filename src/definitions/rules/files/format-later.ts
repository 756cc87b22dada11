import type { DiagnosticRule } from "../rule.ts"

export const formatLater: DiagnosticRule = {
  code: "format-later",
  severity: "info",
  title: "A file of another tool, or of none that is known",
  why: "It may be an agent somewhere else, and is none here; whoever has it should know why. The message names the tool. Data that are no agent's, and endings that nobody has, are a warning. `cadre check PATH` fails where not one of the files could be checked.",
  fix: "Keep it for its own tool. To have the agent here too, write its instructions into a file of a known format (`cadre new NAME`). If it is in a known format after all, name that: `cadre check FILE --as FORMAT`.",
  example: { unreproducible: "The registry reports it, for files such as `.codex/agents/reviewer.toml`." },
}
