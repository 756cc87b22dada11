import { boundTo, type Method, mappingMethods, sequenceMethods } from "../methods.ts"
import { hasIndexes } from "../sequence.ts"
import { type Callable, isType, type Mapping, type Sequence, type Value } from "../value.ts"
import { setMethodNames, setMethodOf } from "./set-methods.ts"
import { pythonStringMethods } from "./string-methods.ts"

/** A method of a value's kind, bound to the value. None of them changes its value: data stays as it is. */
export function pythonMethodOf(owner: Value, name: string): Callable | undefined {
  if (typeof owner === "string") return boundTo(owner, name, pythonStringMethods)
  if (isType(owner, "mapping")) return boundTo(owner, name, dictMethods)
  if (isType(owner, "set")) return setMethodOf(owner, name)
  if (!hasIndexes(owner)) return undefined
  return boundTo(owner, name, owner.kind === "list" ? listMethods : sequenceMethods)
}

const dictMethods: ReadonlyMap<string, Method<Mapping>> = new Map([
  ...mappingMethods,
  ["copy", { parameters: [], run: (owner) => ({ ...owner }) }],
])

const listMethods: ReadonlyMap<string, Method<Sequence>> = new Map([
  ...sequenceMethods,
  ["copy", { parameters: [], run: (owner) => ({ ...owner }) }],
])

/** Of every kind of value. */
export const allMethods: readonly string[] = [
  ...new Set([
    ...pythonStringMethods.keys(),
    ...dictMethods.keys(),
    ...listMethods.keys(),
    ...setMethodNames,
  ]),
]
