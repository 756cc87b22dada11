import type { Dialect } from "./dialect.ts"
import type { Meter } from "./meter.ts"
import type { Node } from "./node.ts"
import type { Value } from "./value.ts"

/** Evaluates a node. It is passed to what evaluates loops and f-strings, because any node can stand in them. */
export type Evaluate = (node: Node, names: Names, meter: Meter) => Value

/** What the names in an expression stand for. */
export interface Names {
  readonly lookUp: (name: string, meter: Meter, use: "value" | "call") => Value | undefined
  /** In Jinja what is not there is undefined; in Python, unlike in Python itself, it is null, and nothing is in it. */
  readonly dialect: Dialect
}
