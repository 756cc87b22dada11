import "./ground/node-version.ts"

export type {
  Diagnostic,
  DiagnosticFix,
  DiagnosticSeverity,
  TextEdit,
} from "./ground/diagnostics/diagnostic.ts"
export type { TextPosition, TextRange } from "./ground/diagnostics/position.ts"
export { type ChangedNodes, findChangedNodes } from "./world/nodes/changed-nodes.ts"
export { compareNodes, type NodeChange } from "./world/nodes/compare.ts"
export { type DiscoverOptions, discoverNodes, type NodeSearch } from "./world/nodes/discover.ts"
export { type FindNodeOptions, findNode } from "./world/nodes/find-node.ts"
export type { CodeNode, FoundNode, NodeType } from "./world/nodes/node.ts"
export type { QueryOptions } from "./world/nodes/readers.ts"
