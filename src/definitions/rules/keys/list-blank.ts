import type { DiagnosticRule } from "../rule.ts"

export const listBlank: DiagnosticRule = {
  code: "list-blank",
  severity: "error",
  title: "An empty entry in a list",
  why: "The format's own tool refuses the file. Usually an entry was left unfinished.",
  fix: "Remove the entry, or write what was meant.",
  example: {
    file: ".codex/agents/reviewer.md",
    text: '---\nname: reviewer\ndescription: Reviews changes.\ntools: ["Read", ""]\n---\n\nReview the changes.\n',
  },
}
