import type { DiagnosticRule } from "../rule.ts"

export const mcpServerSecret: DiagnosticRule = {
  code: "mcp-server-secret",
  severity: "error",
  title: "A secret in the entry of an MCP server",
  why: "Files of a project and definitions are shared, and definitions are kept with their runs. The server is not started.",
  fix: "Name an environment variable in place of the value, as the message shows. Revoke the secret if the file was ever shared.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\nmcpServers:\n  github: {command: github-mcp-server, env: {GITHUB_TOKEN: correct-horse-battery}}\n---\n\nSort the issues.\n",
  },
}
