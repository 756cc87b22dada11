import type { DiagnosticRule } from "../rule.ts"

export const pluginKey: DiagnosticRule = {
  code: "plugin-key",
  severity: "warning",
  title: "A key that plugins cannot set",
  why: "Whoever wrote a plugin is not the one who decides about hooks, MCP servers and permissions, so these keys are ignored there.",
  fix: "Set it in the project's or the user's own file of that agent.",
  example: {
    unreproducible:
      "It takes the folder of a plugin: `hooks`, `mcpServers` or `permissionMode` in an agent beside `.claude-plugin/plugin.json`.",
  },
}
