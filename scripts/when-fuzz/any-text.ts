import fc from "fast-check"
import type { Json } from "../../src/ground/message.ts"

const operators =
  "and or not in is if else for lambda f' f\" {x} {x!r:>9} r' ''' := << >> & ^ == != < <= > >= ( ) [ ] { } . , : + - * ** / // % | ~ = ! && || ? ; ` \\ @ #"
const values =
  "null None true True false 'a' \"b\" '' 0 1 -1 2.5 1e9 9999999999 tool_name tool_input command variables variables.data depth result"
const calls =
  "len str int bool any all range sorted set dict list tuple zip map filter enumerate sum min max next iter isinstance format repr round upper lower split strip startswith endswith get keys values items count index replace join format"
const escapes =
  "__class__ __proto__ __globals__ constructor prototype toString valueOf hasOwnProperty process globalThis this eval Function import require self cycler lipsum"

const word = fc.constantFrom(...`${operators} ${values} ${calls} ${escapes}`.split(" "))

/** Bytes, whatever they spell. */
const bytes = fc
  .uint8Array({ maxLength: 80 })
  .map((array) => Buffer.from(array).toString(array.length % 2 ? "latin1" : "utf8"))

const soup = (separator: string) => fc.array(word, { maxLength: 30 }).map((words) => words.join(separator))

/** Whatever the grammar has, of any type at any place. */
const { tree } = fc.letrec<{ tree: string; list: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.constantFrom(...values.split(" ")),
    fc.string({ maxLength: 6 }).map((text) => JSON.stringify(text)),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
    fc
      .tuple(
        tie("tree"),
        fc.constantFrom(
          "and",
          "or",
          "in",
          "not in",
          "==",
          "!=",
          "<",
          "<=",
          ">",
          "+",
          "-",
          "*",
          "/",
          "//",
          "%",
          "**",
          "~",
          "|",
          "&",
          "<<",
          "is",
        ),
        tie("tree"),
      )
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    fc.tuple(fc.constantFrom("not ", "-", "+"), tie("tree")).map(([sign, operand]) => `(${sign}${operand})`),
    fc
      .tuple(
        tie("tree"),
        fc.constantFrom("<", "<=", "==", "in"),
        tie("tree"),
        fc.constantFrom("<", "!=", "not in"),
        tie("tree"),
      )
      .map((parts) => parts.join(" ")),
    fc
      .tuple(tie("tree"), tie("tree"), tie("tree"))
      .map(([then, test, other]) => `(${then} if ${test} else ${other})`),
    fc
      .tuple(tie("tree"), fc.constantFrom("none", "defined", "string", "number", "nobody"))
      .map(([base, test]) => `(${base} is not ${test})`),
    fc.tuple(tie("tree"), tie("tree")).map(([base, item]) => `${base}[${item}]`),
    fc.tuple(tie("tree"), tie("tree"), tie("tree")).map(([base, from, to]) => `${base}[${from}:${to}]`),
    fc
      .tuple(tie("tree"), fc.constantFrom(...`${calls} ${escapes}`.split(" ")))
      .map(([base, name]) => `${base}.${name}`),
    fc
      .tuple(tie("tree"), fc.constantFrom(...calls.split(" ")), tie("list"))
      .map(([base, name, list]) => `${base}.${name}(${list})`),
    fc.tuple(fc.constantFrom(...calls.split(" ")), tie("list")).map(([name, list]) => `${name}(${list})`),
    fc
      .tuple(tie("tree"), fc.constantFrom(...`${calls} list length first sort unique map attr`.split(" ")))
      .map(([base, name]) => `(${base} | ${name})`),
    tie("list").map((list) => `[${list}]`),
    tie("list").map((list) => `{${list}}`),
    fc
      .tuple(
        fc.constantFrom(["[", "]"], ["{", "}"], ["(", ")"], ["any(", ")"], ["sum(", ")"]),
        tie("tree"),
        fc.constantFrom("x", "x, y", "*x, y", "(x, y)", "command"),
        tie("tree"),
        tie("tree"),
      )
      .map(
        ([[open, close], element, names, items, test]) =>
          `${open}${element} for ${names} in ${items} if ${test}${close}`,
      ),
    fc
      .tuple(tie("tree"), tie("tree"), tie("tree"))
      .map(([key, value, items]) => `{${key}: ${value} for x in ${items}}`),
    fc
      .tuple(tie("tree"), fc.constantFrom("", "!r", "=", ":>9", ":{depth}", ":.3f", ":999999999", "!x"))
      .map(([value, behind]) => `f"""{${value}${behind}}"""`),
    fc.tuple(tie("tree"), tie("tree")).map(([key, value]) => `{${key}: ${value}}`),
  ),
  list: fc.array(tie("tree"), { maxLength: 3 }).map((items) => items.join(", ")),
}))

/** One thing in another, or after another, without end. */
const deep = fc
  .tuple(
    fc.constantFrom(
      ["(", "1", ")"],
      ["[", "1", "]"],
      ["{'a': ", "1", "}"],
      ["not ", "true", ""],
      ["-", "1", ""],
      ["1 if ", "true", " else 0"],
      ["len(", "command", ")"],
      ["", "variables", ".data"],
      ["", "variables", "['data']"],
      ["", "command", ".upper()"],
      ["", "command", " | upper"],
      ["", "1", " + 1"],
      ["", "1", " < 2"],
      ["", "true", " and true"],
      ["", "command", " + command"],
      ["", "9", " ** 9"],
      ["[x for x in ", "command", "]"],
      ["[1 ", "", "for x in 'ab' "],
      ["f'{", "1", "}'"],
      ["{*", "command", "}"],
    ),
    fc.integer({ min: 1, max: 4_000 }),
  )
  .map(([[before, middle, after], count]) => `${before!.repeat(count)}${middle}${after!.repeat(count)}`)

/** Much in one place. */
const huge = fc
  .tuple(
    fc.constantFrom(
      (size: number) => `'${"x".repeat(size)}' in command`,
      (size: number) => `command == "${"\\n".repeat(size / 2)}"`,
      (size: number) => `depth < ${"9".repeat(size)}`,
      (size: number) => `depth in [${"1,".repeat(size / 2)}]`,
      (size: number) => `'x' * ${size * 1_000} == command`,
      (size: number) => `len(range(${size * 1_000})) > 1`,
      (size: number) => `any(x == y for x in range(${size}) for y in range(${size}))`,
      (size: number) => `f'{depth:${size}}' == f'{depth:.${size}f}'`,
      (size: number) => `9 ** ${size} > 1`,
      (size: number) => `1${"0".repeat(size % 4_000)} // 7 % 11 == 3`,
      (size: number) => `${"(a+".repeat(size / 4)}`,
      (size: number) => `${"a".repeat(size)} == 1`,
    ),
    fc.integer({ min: 1, max: 12_000 }),
  )
  .map(([make, size]) => make(size))

/** A letter more, less or another. */
const mended = fc
  .tuple(tree, fc.nat({ max: 200 }), fc.constantFrom("", "(", ")", "'", "\\", ".", "\0", "\u202e", "😀", "]"))
  .map(([text, place, letter]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + letter + text.slice(at + (letter === "" ? 1 : 0))
  })

export const anyText: fc.Arbitrary<string> = fc.oneof(
  bytes,
  fc.string({ maxLength: 60, unit: "binary" }),
  soup(" "),
  soup(""),
  { arbitrary: tree, weight: 4 },
  { arbitrary: mended, weight: 2 },
  deep,
  huge,
)

const hostileKeys = fc.constantFrom("__proto__", "constructor", "toString", "a", "data", "length", "")

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(hostileKeys, fc.jsonValue({ maxDepth: 1 })),
  fc.constantFrom("{{ 1 }}", "' or true or '", "{% include '/etc/passwd' %}", "x".repeat(50_000)),
) as fc.Arbitrary<Json>

/** What a condition may be asked of. */
export const anyCall: fc.Arbitrary<Readonly<Record<string, Json>>> = fc.record({
  tool_name: fc.constant("Bash"),
  command: fc.oneof(fc.constant("cd x && pytest tests/"), fc.string(), fc.constant("a".repeat(100_000))),
  depth: fc.integer({ min: 0, max: 3 }),
  tool_input: json,
  variables: json.map((data) => ({ data, deep: { data: [data, { data }] } })),
})
