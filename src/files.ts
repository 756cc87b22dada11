import "./ground/node-version.ts"

export { type CodingAgent, type CodingAgentOptions, codingAgent } from "./assembly/embed/coding-agent.ts"
export { type AgentResult, toAgentResult } from "./definitions/formats/agent-result.ts"
export { parseJson, parseMarkdown, parseMarkdownFile } from "./definitions/formats/parse-markdown.ts"
export { loadSubagentDefinition, type SubagentDefinition } from "./definitions/formats/subagent-definition.ts"
export type { RegistryChanges } from "./definitions/registry/changes.ts"
export type { DefinitionState, RegistryEntry } from "./definitions/registry/entry.ts"
export type { RegistryOptions } from "./definitions/registry/options.ts"
export { type LoadOptions, SubagentRegistry } from "./definitions/registry/registry.ts"
export { openWorkspace, type Workspace, type WorkspaceOptions } from "./definitions/registry/workspace.ts"
export type { Skill } from "./definitions/skills/skills.ts"
export type {
  Diagnostic,
  DiagnosticFix,
  DiagnosticSeverity,
  TextEdit,
} from "./ground/diagnostics/diagnostic.ts"
export type { TextPosition, TextRange } from "./ground/diagnostics/position.ts"
