import type { DiagnosticRule } from "../rule.ts"

export const pluginKey: DiagnosticRule = {
  code: "plugin-key",
  severity: "warning",
  title: "A key that plugins cannot set",
  why: "The author of a plugin does not decide about hooks, MCP servers and permissions, so these keys are ignored in plugins.",
  fix: "Set it in the project's or the user's own file of that agent.",
  example: {
    unreproducible:
      "It needs the folder of a plugin: `hooks`, `mcpServers` or `permissionMode` in an agent beside `.claude-plugin/plugin.json`.",
  },
}
