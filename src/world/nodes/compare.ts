import type { CodeNode } from "./node.ts"

/** A difference between two looks at the same files. */
export type NodeChange =
  | { readonly type: "added"; readonly node: CodeNode }
  | { readonly type: "removed"; readonly before: CodeNode }
  | { readonly type: "changed"; readonly node: CodeNode; readonly before: CodeNode }
  /** The body is the same under another name, or in another file. */
  | { readonly type: "renamed"; readonly node: CodeNode; readonly before: CodeNode }
  /** The same text has another id, because nodes with the same name changed places, came or went. */
  | { readonly type: "swapped"; readonly node: CodeNode; readonly before: CodeNode }

/**
 * Compares two looks at the same files. The changes come in the order of the later look, and then those that are
 * gone.
 *
 * @example
 * ```ts
 * import { type CodeNode, compareNodes, discoverNodes } from "cadre/nodes"
 *
 * async function look(): Promise<readonly CodeNode[]> {
 *   const nodes: CodeNode[] = []
 *   for await (const node of discoverNodes(process.cwd())) nodes.push(node)
 *   return nodes
 * }
 * const before = await look()
 * // Code changes here.
 * for (const { type } of compareNodes(before, await look())) console.log(type)
 * ```
 */
export function compareNodes(before: readonly CodeNode[], after: readonly CodeNode[]): readonly NodeChange[] {
  const pairs = new Map<CodeNode, CodeNode>()
  const open = new Set(before)
  const pair = (keyOf: (node: CodeNode) => string | undefined): void => {
    const candidates = group(open, keyOf)
    for (const node of after) {
      const key = pairs.has(node) ? undefined : keyOf(node)
      const match = key === undefined ? undefined : candidates.get(key)?.shift()
      if (!match) continue
      pairs.set(node, match)
      open.delete(match)
    }
  }
  const place = ({ file, type, fullName }: CodeNode): string => [file, type, fullName].join("\n")
  const parent = ({ fullName, name }: CodeNode): string => fullName.slice(0, fullName.length - name.length)
  const bodies: readonly ((node: CodeNode) => string | undefined)[] = [
    ({ bodyHash }) => bodyHash,
    ({ namelessBodyHash }) => namelessBodyHash,
  ]
  pair((node) => key(node.id, node.textHash))
  pair((node) => key(place(node), node.textHash))
  pair(({ id }) => id)
  // The name has changed, from the likeliest to the least likely: a method whose class is another one comes last.
  for (const body of bodies) pair((node) => key(node.file, node.type, parent(node), body(node)))
  for (const body of bodies) pair((node) => key(node.file, node.type, node.name, body(node)))
  for (const body of bodies) pair((node) => key(node.file, node.type, body(node)))
  // In another file only under its name: many short bodies are the same.
  for (const body of bodies) pair((node) => key(node.type, node.fullName, body(node)))
  pair(({ type, textHash }) => (type === "file" ? textHash : undefined))
  return [
    ...after.flatMap((node): readonly NodeChange[] => {
      const match = pairs.get(node)
      return match ? changeOf(match, node) : [{ type: "added", node }]
    }),
    ...before.filter((node) => open.has(node)).map((node): NodeChange => ({ type: "removed", before: node })),
  ]
}

function changeOf(before: CodeNode, node: CodeNode): readonly NodeChange[] {
  if (before.file !== node.file || before.fullName !== node.fullName)
    return [{ type: "renamed", node, before }]
  if (before.id !== node.id) return [{ type: "swapped", node, before }]
  return before.textHash === node.textHash ? [] : [{ type: "changed", node, before }]
}

/** Undefined if a part is: then the node cannot be paired this way. */
const key = (...parts: readonly (string | undefined)[]): string | undefined =>
  parts.includes(undefined) ? undefined : parts.join("\n")

function group(
  nodes: Iterable<CodeNode>,
  keyOf: (node: CodeNode) => string | undefined,
): Map<string, CodeNode[]> {
  const groups = new Map<string, CodeNode[]>()
  for (const node of nodes) {
    const key = keyOf(node)
    if (key === undefined) continue
    const members = groups.get(key)
    if (members) members.push(node)
    else groups.set(key, [node])
  }
  return groups
}
