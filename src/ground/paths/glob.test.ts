import { expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import { Glob } from "./glob.ts"

const cases: readonly (readonly [pattern: string, matching: string, not: string])[] = [
  ["*.ts", "a.ts .ts a.b.ts", "a.tsx src/a.ts ts"],
  ["**/*.ts", "a.ts src/a.ts src/b/c.ts", "a.js src/a.tsx"],
  ["src/**", "src/a src/a/b", "src srca/b"],
  ["src/**/a.ts", "src/a.ts src/b/a.ts src/b/c/a.ts", "src/xa.ts a.ts"],
  ["a**b", "ab axb", "a/b"],
  ["?.ts", "a.ts ä.ts 😀.ts", ".ts ab.ts /.ts"],
  ["[a-c]x", "ax cx", "dx Ax x"],
  ["[!a-c]x", "dx", "ax /x"],
  ["[]]x", "]x", "x"],
  ["[a", "[a", "a"],
  ["{a,b}.{ts,js}", "a.ts b.js", "c.ts {a,b}.ts"],
  ["{a,{b,c}d}", "a bd cd", "b c d"],
  ["{a}", "{a}", "a"],
  ["{a", "{a", "a"],
  ["*{", "x{ {", "x"],
  ["{src,test}/**/*.ts", "src/a.ts test/b/c.ts", "lib/a.ts"],
  ["@(a|b)c", "ac bc", "c aac"],
  ["*(ab)c", "c abc ababc", "ac"],
  ["+(ab)c", "abc ababc", "c"],
  ["?(ab)c", "c abc", "ababc"],
  ["\\*a", "*a", "xa"],
  ["-rf", "-rf", "rf"],
  ["$(id)", "$(id)", "id"],
]

test.each(cases)("%s", (pattern, matching, not) => {
  const compiled = new Glob(pattern)
  const paths = `${matching} ${not}`.split(" ")
  expect(paths.filter((path) => compiled.matches(path))).toEqual(matching.split(" "))
})

test.each([
  ["!(a)", /not supported/],
  ["@(a", /has no closing "\)"/],
  ["a".repeat(1001), /1001 characters/],
  ["@(".repeat(60), /nested too deeply/],
])("%.20s is refused", (pattern, why) => {
  expect(() => new Glob(pattern)).toThrow(why)
})

test.each([
  ["nested groups", "*(*(*(a|b)))"],
  ["34 stars", `${"*a".repeat(34)}`],
  ["13 times any folder", `${"**/".repeat(13)}x`],
  ["30 choices", `${"{a,b}".repeat(30)}c`],
  ["30 open braces", "{".repeat(200)],
  ["nested repetition", `${"*(".repeat(40)}a${")".repeat(40)}`],
  ["nested repetition at least once", `${"+(".repeat(40)}a${")".repeat(40)}`],
])("109: %s takes no time", (_, text) => {
  const before = processorTime()
  const pattern = new Glob(text)
  pattern.matches(`${"a".repeat(2000)}!`)
  pattern.matches("a/".repeat(1000))
  expect(processorTime() - before).toBeLessThan(5000)
})
