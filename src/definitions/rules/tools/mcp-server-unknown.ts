import type { DiagnosticRule } from "../rule.ts"

export const mcpServerUnknown: DiagnosticRule = {
  code: "mcp-server-unknown",
  severity: "error",
  title: "An MCP server that is not configured",
  why: "A name in `mcpServers` stands for a server of the configuration, and there is none of that name. The agent would have to do without its tools, so it does not start.",
  fix: "Write the name of a configured server, or add the server to your own configuration (`mcpServers`) or to `.mcp.json` of the project. Or write its entry into the list: `{name: {command: …}}`.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\nmcpServers: [github]\n---\n\nSort the issues.\n",
  },
}
