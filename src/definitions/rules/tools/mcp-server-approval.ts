import type { DiagnosticRule } from "../rule.ts"

export const mcpServerApproval: DiagnosticRule = {
  code: "mcp-server-approval",
  severity: "info",
  title: "An approval of MCP servers that counts only for another host",
  why: "`enableAllProjectMcpServers` and `enabledMcpjsonServers` allow servers in Claude Code. Here only trust in the file that names a server allows it. `disabledMcpjsonServers` counts: those servers are not started.",
  fix: "Nothing. To let the servers of a project start, run `cadre trust`.",
  example: { unreproducible: "It needs `.claude/settings.json` with one of these keys." },
}
