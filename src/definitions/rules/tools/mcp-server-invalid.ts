import type { DiagnosticRule } from "../rule.ts"

export const mcpServerInvalid: DiagnosticRule = {
  code: "mcp-server-invalid",
  severity: "error",
  title: "An entry of an MCP server that cannot be used",
  why: "A server with a wrong entry is not started, because the wrong part may be one that bounds it. An agent that brings such a server does not start.",
  fix: "Write `command` (a program, with `args` and `env`) or `url` (an address, with `headers`), and only the keys that the message lists.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\nmcpServers:\n  github: {command: github-mcp-server, url: 'https://example.com/mcp'}\n---\n\nSort the issues.\n",
  },
}
