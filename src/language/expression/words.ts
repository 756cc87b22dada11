import type { ExpressionDialect } from "./dialect.ts"

/** The value of a word that is a constant. Conditions also accept YAML's `null`. */
export function findWordConstant(word: string, dialect: ExpressionDialect): true | false | null | undefined {
  return dialect === "python" && word === "null" ? null : constants.get(word)
}

/** True for words of the language that cannot be names. */
export const isReserved = (word: string, dialect: ExpressionDialect): boolean => reserved[dialect].has(word)

const constants = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
])

const shared = "and or not in is if else"
const reserved: Readonly<Record<ExpressionDialect, ReadonlySet<string>>> = {
  jinja: new Set(shared.split(" ")),
  python: new Set(
    `${shared} as assert async await break class continue def del elif except finally for from global import lambda nonlocal pass raise return try while with yield`.split(
      " ",
    ),
  ),
}
