import type { Json } from "../../src/ground/message.ts"
import type { Kind } from "./form.ts"
import type { Random } from "./random.ts"

/** The names that expressions find, by the kind of what they stand for. `missing` stands for nothing anywhere. */
export const variablesOf: Readonly<Record<Kind, readonly string[]>> = {
  bool: ["t1", "t2"],
  int: ["n1", "n2", "n3", "d1['b']", "l1[0]", "l1[-1]"],
  float: ["f1", "f2"],
  text: ["s1", "s2", "s3", "w1[0]", "d2.a"],
  ints: ["l1", "l2", "deep.ints"],
  texts: ["w1", "w2", "deep['texts']"],
  dict: ["d1", "d2", "deep"],
  set: ["{1, 2}", "{'a', s1}"],
  tuple: ["(1, 'a')", "()"],
  nothing: ["z", "missing", "None", "deep.nobody", "missing.at.all", "d1['nobody']", "l1[99]"],
  iterator: ["iter(l1)", "reversed(w1)"],
}

const words = [
  "",
  "a",
  "b",
  "ab",
  "Abc",
  "a b  c",
  " x ",
  "pytest -q",
  "é",
  "ß",
  "😀x",
  "it's",
  '"',
  "1",
  "-3",
  "2.5",
  "a,b,c",
  "AB\ncd\n",
  "\t",
  "{}",
  "straße",
  "ΑΣ",
  "Ǆ",
]

export function variablesFrom({ pick, below, chance }: Random): Record<string, Json> {
  const integer = () => pick([0, 1, 2, 3, 5, 10, -1, -7, 100, 12345, 4294967296, 9007199254740991])
  const float = () => pick([0.5, 1.5, -2.25, 0.1, 3.75, 1e-7, 1e20, -0.5, 2.5, 123456.789])
  const many = <Item>(make: () => Item, most = 4) => Array.from({ length: below(most + 1) }, make)
  return {
    t1: chance(0.5),
    t2: chance(0.5),
    n1: pick([0, 1, 2, 3, 4]),
    n2: integer(),
    n3: -integer(),
    f1: float(),
    f2: float(),
    s1: pick(words),
    s2: pick(words),
    s3: pick(words) + pick(words),
    l1: many(integer),
    l2: many(() => below(5)),
    w1: many(() => pick(words)),
    w2: many(() => pick(["a", "b", "c", "dd"])),
    d1: { a: integer(), b: integer(), c: below(4) },
    d2: { a: pick(words), "": 1 },
    z: null,
    deep: { ints: many(integer), texts: many(() => pick(words)), map: { key: [1, [2, 3]] }, none: null },
  }
}
