import type { Value } from "./value.ts"

/**
 * An expression. Operands in a row are one node with a list, not nested nodes. So the depth of the tree is the depth of the
 * brackets, which the parser bounds.
 */
export type Node = { readonly offset: number } & (
  | { readonly type: "literal"; readonly value: Value }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list" | "tuple" | "set"; readonly items: readonly Node[] }
  | { readonly type: "dict"; readonly entries: readonly EntryNode[] }
  /** `*items`, which is allowed only in brackets and before arguments. */
  | { readonly type: "starred"; readonly operand: Node }
  | { readonly type: "unary"; readonly operator: "not" | "-" | "+" | "~"; readonly operand: Node }
  | { readonly type: "logic"; readonly operator: "and" | "or"; readonly operands: readonly Node[] }
  | { readonly type: "concat"; readonly operands: readonly Node[] }
  | { readonly type: "comparison"; readonly first: Node; readonly rest: readonly Operation<Comparison>[] }
  | { readonly type: "arithmetic"; readonly first: Node; readonly rest: readonly Operation<Arithmetic>[] }
  | {
      readonly type: "conditional"
      readonly test: Node
      readonly then: Node
      readonly otherwise: Node | undefined
    }
  | Comprehension
  /** An f-string: texts and inserted values. */
  | { readonly type: "format"; readonly parts: readonly (string | FormatField)[] }
  | { readonly type: "access"; readonly base: Node; readonly links: readonly Link[] }
)

/** One entry of a dict. Without a key, all entries of another dict: `**value`. */
export interface EntryNode {
  readonly key: Node | undefined
  readonly value: Node
}

/** `[element for target in items if test]`, or the same as a set, a dict or a generator. */
export interface Comprehension {
  readonly type: "comprehension"
  readonly offset: number
  readonly kind: "list" | "set" | "dict" | "generator"
  /** The result of each round. For a dict, its key. */
  readonly element: Node
  /** The value of each round. Only for a dict. */
  readonly value: Node | undefined
  readonly clauses: readonly Clause[]
}

export interface Clause {
  readonly target: LoopTarget
  readonly items: Node
  readonly tests: readonly Node[]
}

/** The variables of a loop: a name, or several into which an item is unpacked. One of them may take the rest. */
export type LoopTarget = { readonly offset: number } & (
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "unpack"; readonly targets: readonly LoopTarget[]; readonly rest: number | undefined }
)

/** `{value!r:spec}` in an f-string. */
export interface FormatField {
  readonly value: Node
  /** The source text that `{value=}` prints before the value. */
  readonly shown: string
  readonly conversion: "s" | "r" | "a" | undefined
  readonly spec: readonly (string | FormatField)[]
}

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not"
export type Arithmetic = "+" | "-" | "*" | "/" | "//" | "%" | "**" | BitOperator
export type BitOperator = "|" | "^" | "&" | "<<" | ">>"

export interface Operation<Operator> {
  readonly operator: Operator
  readonly operand: Node
  readonly offset: number
}

/** One operation after a value: `.name`, `[item]`, `[from:to]`, `(…)`, `|filter` or `is test`. */
export type Link = { readonly offset: number } & (
  | { readonly type: "attribute"; readonly name: string }
  | { readonly type: "item"; readonly item: Node }
  | {
      readonly type: "slice"
      readonly from: Node | undefined
      readonly to: Node | undefined
      readonly step: Node | undefined
    }
  | { readonly type: "call"; readonly arguments: GivenNodes }
  | { readonly type: "filter"; readonly name: string; readonly arguments: GivenNodes }
  | {
      readonly type: "test"
      readonly name: string
      readonly arguments: GivenNodes
      readonly answer: "is" | "is not"
    }
)

export interface GivenNodes {
  readonly positional: readonly Node[]
  readonly named: readonly { readonly name: string; readonly value: Node }[]
}
