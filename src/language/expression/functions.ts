import { conversions } from "./python/conversions.ts"
import { folds } from "./python/folds.ts"
import { loops } from "./python/loops.ts"
import type { Callable } from "./value.ts"

/** The functions that a condition may call: those of Python that depend only on their arguments. */
export const functions: ReadonlyMap<string, Callable> = new Map(
  [...conversions, ...folds, ...loops]
    .map(([name, call]): [string, Callable] => [name, { type: "callable", kind: "function", name, call }])
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)

/** True for a function whose name is also a variable of hooks and pipelines. It is the function only where it is called. */
export const isOnlyCalled = (name: string): boolean => name === "round"
