/** The kinds of code nodes. A function with a class around it is a method. */
export type NodeType = "file" | "class" | "function" | "method"

export const nodeTypes: readonly NodeType[] = ["file", "class", "function", "method"]

/**
 * A part of a source file: the whole file, a class, a function or a method. Plain data without the text;
 * `readNodeText` reads it.
 */
export interface CodeNode {
  /**
   * 16 hexadecimal digits, made of path, type and full name. Reformatting and code above do not change it.
   * Nodes that have all three in common differ by the hash of their signature, and then by their order.
   */
  readonly id: string
  /** The kind of the node. */
  readonly type: NodeType
  /** The own name: `method`. For a file, its name without the extension. */
  readonly name: string
  /** The name with those of all that surrounds it: `Class.method`. */
  readonly fullName: string
  /** The language, such as `python`. */
  readonly language: string
  /** The path from the root, with "/" between names. */
  readonly file: string
  /** The first line, counted from 1. */
  readonly startLine: number
  /** The last line, counted from 1. */
  readonly endLine: number
  /** The offset of the first byte in the file. */
  readonly startByte: number
  /** The offset after the last byte in the file. */
  readonly endByte: number
  /** A hash of the text. Two nodes with the same hash have the same text. */
  readonly textHash: string
  /** A hash of the body. Absent: a file, or a declaration without a body. */
  readonly bodyHash?: string
  /** The same without the node's own name, where the body has it: a constructor, a function that calls itself. */
  readonly namelessBodyHash?: string
}

/** A code node with its text. */
export interface FoundNode extends CodeNode {
  /** The text, equal to the slice of the file. */
  readonly text: string
}
