import type { ExpressionDialect } from "./dialect.ts"
import type { Meter } from "./meter.ts"
import type { Node } from "./node.ts"
import type { Value } from "./value.ts"

/** Evaluates a node. Loops and f-strings get it as a parameter, because they can contain any node. */
export type Evaluate = (node: Node, names: NameScope, meter: Meter) => Value

/** The values of the names in an expression. */
export interface NameScope {
  readonly lookUp: (name: string, meter: Meter, use: "value" | "call") => Value | undefined
  /** A missing name is undefined in Jinja. In conditions it is null, unlike in Python itself. */
  readonly dialect: ExpressionDialect
}
