import type { DiagnosticRule } from "../rule.ts"

export const fileIgnored: DiagnosticRule = {
  code: "file-ignored",
  severity: "info",
  title: "Something in a folder of agents that is not read",
  why: "It lies where agents are, and the tool whose folder it is does not read it: whoever put it there may wonder why nothing comes of it.",
  fix: "Give it an ending that the tool reads, move it up into the folder itself, or leave it if it is no agent.",
  example: { unreproducible: "it takes a file that the format does not read" },
}
