import type { Dialect } from "./dialect.ts"

/** Words that are values and no names. Conditions know YAML's spelling, too. */
export function constantOf(word: string, dialect: Dialect): true | false | null | undefined {
  return dialect === "python" && word === "null" ? null : constants.get(word)
}

/** Words that belong to the language and name nothing. */
export const isReserved = (word: string, dialect: Dialect): boolean => reserved[dialect].has(word)

const constants = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
])

const shared = "and or not in is if else"
const reserved: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  jinja: new Set(shared.split(" ")),
  python: new Set(
    `${shared} as assert async await break class continue def del elif except finally for from global import lambda nonlocal pass raise return try while with yield`.split(
      " ",
    ),
  ),
}
