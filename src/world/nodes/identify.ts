import { hash } from "../../ground/crypto.ts"
import type { CodeNode } from "./node.ts"

/** A node before it has an id. */
export interface UnnamedNode extends Omit<CodeNode, "id"> {
  /** The text before the body. It tells overloads apart. */
  readonly signature: string
}

/**
 * Gives nodes of one file their ids. An id comes from path, type and full name. Equals differ by the hash of
 * their signature, and equals of the same signature by their order. `hashOf` ignores formatting.
 */
export function identify(
  nodes: readonly UnnamedNode[],
  hashOf: (signature: string) => string,
): readonly CodeNode[] {
  const counts = new Map<string, number>()
  for (const node of nodes) counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1)
  const orders = new Map<string, number>()
  return nodes.map((node) => {
    const { signature, ...rest } = node
    const key = keyOf(node)
    if (counts.get(key) === 1) return { id: idOf([node.file, key]), ...rest }
    const equals = `${key}\n${hashOf(signature)}`
    const order = orders.get(equals) ?? 0
    orders.set(equals, order + 1)
    return { id: idOf([node.file, equals, order]), ...rest }
  })
}

const keyOf = ({ type, fullName }: UnnamedNode): string => `${type}\n${fullName}`

const idOf = (parts: readonly (string | number)[]): string =>
  hash("sha256", JSON.stringify(parts), "hex").slice(0, 16)
