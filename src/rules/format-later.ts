import type { DiagnosticRule } from "./rule.ts"

export const formatLater: DiagnosticRule = {
  code: "format-later",
  severity: "info",
  title: "A file of a format that cannot be read yet",
  why: "It is an agent somewhere else and none here, and whoever has it should know why. A file of no known format is a warning.",
  fix: "Convert it where its own tool can, or keep it for that tool.",
  example: { unreproducible: "The registry reports it, for files such as `.codex/agents/reviewer.toml`." },
}
