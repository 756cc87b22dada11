import type { Evaluate, Names } from "../evaluator.ts"
import { keyOf, mapping } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import type { Clause, Comprehension, LoopTarget } from "../node.ts"
import { namesOf } from "../parse/comprehension.ts"
import { collected, itemsOf, pullFrom } from "../sequence.ts"
import { type Entry, isTrue, list, type Value } from "../value.ts"
import { iteratorOf } from "./iterator.ts"
import { setOf } from "./sets.ts"

/** What a loop in brackets gives. Its names are its own; only what it goes through first is looked up outside of it. */
export function evaluateComprehension(
  { kind, element, value, clauses }: Comprehension,
  names: Names,
  meter: Meter,
  evaluate: Evaluate,
): Value {
  const [first] = clauses
  const outer = evaluate(first!.items, names, meter)
  meter.place = first!.items.offset
  const pull = pullFrom(outer, meter)
  const scope = new LoopScope(clauses, names)
  const rounds = roundsOf(clauses, 0, pull, scope, meter, evaluate)
  const next = (): Value | undefined => (rounds.next().done ? undefined : evaluate(element, scope, meter))
  switch (kind) {
    case "generator":
      return iteratorOf(next, meter)
    case "list":
      return list(collected(next, meter))
    case "set":
      return setOf(collected(next, meter), meter)
    case "dict": {
      const entries: (Entry & { id: string })[] = []
      for (let key = next(); key !== undefined; key = next()) {
        const given = evaluate(value!, scope, meter)
        meter.place = element.offset
        entries.push({ id: keyOf(key, meter), key, value: given })
        if (entries.length > meter.limits.items) meter.reserveItems(entries.length)
      }
      return mapping(entries)
    }
  }
}

/** The names of a loop in front of those around it. One that it has not given a value yet hides the outer one, too. */
class LoopScope implements Names {
  readonly dialect = "python"
  readonly #outer: Names
  readonly #own: ReadonlySet<string>
  readonly #values = new Map<string, Value>()

  constructor(clauses: readonly Clause[], outer: Names) {
    this.#outer = outer
    this.#own = new Set(clauses.flatMap(({ target }) => namesOf(target)))
  }

  readonly lookUp: Names["lookUp"] = (name, meter, use) => {
    if (!this.#own.has(name)) return this.#outer.lookUp(name, meter, use)
    const value = this.#values.get(name)
    if (value === undefined)
      throw meter.failure(`"${name}" belongs to this loop, which has not given it a value yet.`)
    return value
  }

  assign(target: LoopTarget, value: Value, meter: Meter): void {
    if (target.type === "name") {
      this.#values.set(target.name, value)
      return
    }
    meter.place = target.offset
    const { targets, rest } = target
    const items = itemsOf(value, meter)
    // A name with "*" takes what the others leave, which may be nothing.
    const spare = items.length - targets.length + 1
    if (rest === undefined ? spare !== 1 : spare < 0)
      throw meter.failure(`${items.length} values cannot be unpacked into ${targets.length} names.`)
    for (const [index, inner] of targets.entries()) {
      const at = rest !== undefined && index > rest ? index + spare - 1 : index
      this.assign(inner, index === rest ? list(items.slice(at, at + spare)) : items[at]!, meter)
    }
  }
}

/** One stop for each round of the innermost loop whose tests hold. */
function* roundsOf(
  clauses: readonly Clause[],
  index: number,
  pull: () => Value | undefined,
  scope: LoopScope,
  meter: Meter,
  evaluate: Evaluate,
): Generator<undefined, void> {
  const { target, tests } = clauses[index]!
  const inner = clauses[index + 1]
  for (let item = pull(); item !== undefined; item = pull()) {
    meter.spend(1)
    scope.assign(target, item, meter)
    if (!tests.every((test) => isTrue(evaluate(test, scope, meter)))) continue
    if (inner === undefined) yield
    else {
      const items = evaluate(inner.items, scope, meter)
      meter.place = inner.items.offset
      yield* roundsOf(clauses, index + 1, pullFrom(items, meter), scope, meter, evaluate)
    }
  }
}
