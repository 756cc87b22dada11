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
  | { readonly type: "set"; readonly target: AssignmentTarget; readonly value: Node; readonly offset: number }
  | {
      readonly type: "set-block"
      readonly target: AssignmentTarget
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
      readonly assignments: readonly { readonly target: AssignmentTarget; readonly value: Node }[]
      readonly body: readonly TemplateNode[]
      readonly offset: number
    }

export interface ForNode {
  readonly type: "for"
  readonly target: AssignmentTarget
  readonly items: Node
  /** The condition that items must meet. */
  readonly test: Node | undefined
  readonly body: readonly TemplateNode[]
  readonly otherwise: readonly TemplateNode[]
  readonly offset: number
}

export type FilterLink = Link & { readonly type: "filter" }

/** The target of an assignment: a name, or several into which a list is unpacked. */
export type AssignmentTarget =
  | { readonly type: "name"; readonly name: string; readonly offset: number }
  | { readonly type: "unpack"; readonly targets: readonly AssignmentTarget[]; readonly offset: number }
