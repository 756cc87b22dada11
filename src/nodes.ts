import "./ground/node-version.ts"

export { type FindNodeOptions, findNode } from "./world/nodes/find-node.ts"
export type { CodeNode, FoundNode, NodeType } from "./world/nodes/node.ts"
export type { QueryOptions } from "./world/nodes/readers.ts"
