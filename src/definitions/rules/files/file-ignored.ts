import type { DiagnosticRule } from "../rule.ts"

export const fileIgnored: DiagnosticRule = {
  code: "file-ignored",
  severity: "info",
  title: "An entry in a folder of agents that is not read",
  why: "It lies in a folder of agents, but the tool that owns the folder does not read it. So it defines no agent.",
  fix: "Give it a file extension that the tool reads, or move it directly into the folder. If it is not an agent, leave it.",
  example: { unreproducible: "It needs a file that the format does not read." },
}
