import type { Names } from "../expression/evaluator.ts"
import type { Meter } from "../expression/meter.ts"
import { itemsOf } from "../expression/sequence.ts"
import type { Value } from "../expression/value.ts"
import type { Target } from "./node.ts"

/** The names that are set at one place of a template, in front of those around it. */
export class Frame implements Names {
  readonly dialect = "jinja"
  readonly #outer: Names
  readonly #values = new Map<string, Value>()

  constructor(outer: Names) {
    this.#outer = outer
  }

  readonly lookUp: Names["lookUp"] = (name, meter, use) => {
    const value = this.#values.get(name)
    return value === undefined ? this.#outer.lookUp(name, meter, use) : value
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  assign(target: Target, value: Value, meter: Meter): void {
    if (target.type === "name") return this.set(target.name, value)
    meter.place = target.offset
    const items = itemsOf(value, meter)
    if (items.length !== target.targets.length)
      throw meter.failure(`${items.length} values cannot be unpacked into ${target.targets.length} names.`)
    for (const [index, inner] of target.targets.entries()) this.assign(inner, items[index]!, meter)
  }
}
