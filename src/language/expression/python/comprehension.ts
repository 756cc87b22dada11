import type { Evaluate, NameScope } from "../evaluator.ts"
import { makeMapping, requireKeyId } from "../mapping.ts"
import type { Meter } from "../meter.ts"
import type { Clause, Comprehension, LoopTarget } from "../node.ts"
import { listLoopNames } from "../parse/comprehension.ts"
import { collectItems, listIterableItems, pullFrom } from "../sequence.ts"
import { type DictEntry, isTrue, listValue, type Value } from "../value.ts"
import { createIterator } from "./iterator.ts"
import { setOf } from "./sets.ts"

/** Evaluates a comprehension. Its variables are local; only the items of its first loop are evaluated outside of it. */
export function evaluateComprehension(
  { kind, element, value, clauses }: Comprehension,
  names: NameScope,
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
      return createIterator(next, meter)
    case "list":
      return listValue(collectItems(next, meter))
    case "set":
      return setOf(collectItems(next, meter), meter)
    case "dict": {
      const entries: (DictEntry & { id: string })[] = []
      for (let key = next(); key !== undefined; key = next()) {
        const item = evaluate(value!, scope, meter)
        meter.place = element.offset
        entries.push({ id: requireKeyId(key, meter), key, value: item })
        if (entries.length > meter.limits.items) meter.reserveItems(entries.length)
      }
      return makeMapping(entries)
    }
  }
}

/** The variables of a comprehension, which hide outer names, even before they have a value. */
class LoopScope implements NameScope {
  readonly dialect = "python"
  readonly #outer: NameScope
  readonly #own: ReadonlySet<string>
  readonly #values = new Map<string, Value>()

  constructor(clauses: readonly Clause[], outer: NameScope) {
    this.#outer = outer
    this.#own = new Set(clauses.flatMap(({ target }) => listLoopNames(target)))
  }

  readonly lookUp: NameScope["lookUp"] = (name, meter, use) => {
    if (!this.#own.has(name)) return this.#outer.lookUp(name, meter, use)
    const value = this.#values.get(name)
    if (value === undefined)
      throw meter.failure(`"${name}" is a variable of this loop, which has no value yet.`)
    return value
  }

  assign(target: LoopTarget, value: Value, meter: Meter): void {
    if (target.type === "name") {
      this.#values.set(target.name, value)
      return
    }
    meter.place = target.offset
    const { targets, rest } = target
    const items = listIterableItems(value, meter)
    // A name with "*" takes the remaining items, which may be none.
    const spare = items.length - targets.length + 1
    if (rest === undefined ? spare !== 1 : spare < 0)
      throw meter.failure(`${items.length} values cannot be unpacked into ${targets.length} names.`)
    for (const [index, inner] of targets.entries()) {
      const at = rest !== undefined && index > rest ? index + spare - 1 : index
      this.assign(inner, index === rest ? listValue(items.slice(at, at + spare)) : items[at]!, meter)
    }
  }
}

/** Yields once for each round of the innermost loop whose tests hold. */
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
