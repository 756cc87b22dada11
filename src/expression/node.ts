import type { Value } from "./value.ts"

/**
 * An expression. What is written in a row is one node with a list, not a tower of nodes: so the depth of the tree is
 * that of the brackets, which the parser bounds.
 */
export type Node = { readonly offset: number } & (
  | { readonly type: "literal"; readonly value: Value }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "list" | "tuple"; readonly items: readonly Node[] }
  | { readonly type: "dict"; readonly entries: readonly { readonly key: Node; readonly value: Node }[] }
  | { readonly type: "unary"; readonly operator: "not" | "-" | "+"; readonly operand: Node }
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
  | { readonly type: "access"; readonly base: Node; readonly links: readonly Link[] }
)

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in"
export type Arithmetic = "+" | "-" | "*" | "/" | "//" | "%" | "**"

export interface Operation<Operator> {
  readonly operator: Operator
  readonly operand: Node
  readonly offset: number
}

/** One thing behind a value: `.name`, `[item]`, `[from:to]`, `(…)`, `|filter` or `is test`. */
export type Link = { readonly offset: number } & (
  | { readonly type: "attribute"; readonly name: string }
  | { readonly type: "item"; readonly item: Node }
  | {
      readonly type: "slice"
      readonly from: Node | undefined
      readonly to: Node | undefined
      readonly step: Node | undefined
    }
  | { readonly type: "call"; readonly given: GivenNodes }
  | { readonly type: "filter"; readonly name: string; readonly given: GivenNodes }
  | {
      readonly type: "test"
      readonly name: string
      readonly given: GivenNodes
      readonly answer: "is" | "is not"
    }
)

export interface GivenNodes {
  readonly positional: readonly Node[]
  readonly named: readonly { readonly name: string; readonly value: Node }[]
}
