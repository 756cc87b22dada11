// The code that owns a log and writes to it. It is loaded with the first run.
export { claimTree, createLog } from "./claim-tree.ts"
export { TreeWriter } from "./tree-writer.ts"
