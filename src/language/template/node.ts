import type { Link, Node } from "../expression/node.ts"

/** One part of a template. */
export type TemplateNode =
  | { readonly type: "text"; readonly text: string; readonly offset: number }
  | { readonly type: "print"; readonly value: Node; readonly offset: number }
  | {
      readonly type: "if"
      readonly branches: readonly { readonly test: Node; readonly body: readonly TemplateNode[] }[]
      readonly otherwise: readonly TemplateNode[]
      readonly offset: number
    }
  | ForNode
  | { readonly type: "set"; readonly target: Target; readonly value: Node; readonly offset: number }
  | {
      readonly type: "set-block"
      readonly target: Target
      readonly filters: readonly FilterLink[]
      readonly body: readonly TemplateNode[]
      readonly offset: number
    }
  | {
      readonly type: "filter"
      readonly filters: readonly FilterLink[]
      readonly body: readonly TemplateNode[]
      readonly offset: number
    }
  | {
      readonly type: "with"
      readonly assignments: readonly { readonly target: Target; readonly value: Node }[]
      readonly body: readonly TemplateNode[]
      readonly offset: number
    }

export interface ForNode {
  readonly type: "for"
  readonly target: Target
  readonly items: Node
  /** Only items for which it holds are looped over. */
  readonly test: Node | undefined
  readonly body: readonly TemplateNode[]
  readonly otherwise: readonly TemplateNode[]
  readonly offset: number
}

export type FilterLink = Link & { readonly type: "filter" }

/** What is assigned to: a name, or several that a list is unpacked into. */
export type Target =
  | { readonly type: "name"; readonly name: string; readonly offset: number }
  | { readonly type: "unpack"; readonly targets: readonly Target[]; readonly offset: number }
