import type { NameScope } from "../expression/evaluator.ts"
import type { Meter } from "../expression/meter.ts"
import { listIterableItems } from "../expression/sequence.ts"
import type { Value } from "../expression/value.ts"
import type { AssignmentTarget } from "./node.ts"

/** The names that a block of a template sets, which hide those around it. */
export class Frame implements NameScope {
  readonly dialect = "jinja"
  readonly #outer: NameScope
  readonly #values = new Map<string, Value>()

  constructor(outer: NameScope) {
    this.#outer = outer
  }

  readonly lookUp: NameScope["lookUp"] = (name, meter, use) => {
    const value = this.#values.get(name)
    return value === undefined ? this.#outer.lookUp(name, meter, use) : value
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  assign(target: AssignmentTarget, value: Value, meter: Meter): void {
    if (target.type === "name") return this.set(target.name, value)
    meter.place = target.offset
    const items = listIterableItems(value, meter)
    if (items.length !== target.targets.length)
      throw meter.failure(`${items.length} values cannot be unpacked into ${target.targets.length} names.`)
    for (const [index, inner] of target.targets.entries()) this.assign(inner, items[index]!, meter)
  }
}
