import type { DiagnosticRule } from "../rule.ts"

export const formatLater: DiagnosticRule = {
  code: "format-later",
  severity: "info",
  title: "A file of another tool, or of an unknown tool",
  why: "It may be an agent in another tool, but it is not one here. The message names the tool. Data files that belong to no agent, and unknown file extensions, are a warning. `cadre check PATH` fails if none of the files could be checked.",
  fix: "Keep it for its own tool. To use the agent here too, write its instructions into a file of a known format (`cadre new NAME`). If the file is in a known format, name that format: `cadre check FILE --as FORMAT`.",
  example: { unreproducible: "The registry reports it, for files such as `.codex/agents/reviewer.toml`." },
}
