import fc from "fast-check"

/** A piece of a condition, and what it comes to, worked out here by other means. */
interface Known<Value> {
  readonly text: string
  readonly value: Value
}

export const knownCall = {
  tool_name: "Bash",
  command: "cd src && pytest tests/",
  depth: 2,
  variables: { on: true, off: null, words: ["cd", "rm", ""] },
} as const

const known = <Value>(text: string, value: Value): Known<Value> => ({ text, value })

type Parts = {
  truth: Known<boolean>
  integer: Known<bigint>
  text: Known<string>
  words: Known<readonly string[]>
}

const comparisons: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
}

const sums: Readonly<Record<string, (left: bigint, right: bigint) => bigint>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
}

const bounded = { maxDepth: 4, depthSize: "small" } as const

const { truth } = fc.letrec<Parts>((tie) => ({
  truth: fc.oneof(
    bounded,
    fc.constantFrom(
      known("true", true),
      known("False", false),
      known("variables.on", true),
      known("variables.off is null", true),
      known("variables.missing is not None", false),
      known("'x' in variables.off", false),
      known("result", false),
    ),
    tie("truth").map(({ text, value }) => known(`not (${text})`, !value)),
    fc.array(tie("truth"), { minLength: 2, maxLength: 3 }).map((parts) =>
      known(
        parts.map(({ text }) => `(${text})`).join(" and "),
        parts.every(({ value }) => value),
      ),
    ),
    fc.array(tie("truth"), { minLength: 2, maxLength: 3 }).map((parts) =>
      known(
        parts.map(({ text }) => `(${text})`).join(" or "),
        parts.some(({ value }) => value),
      ),
    ),
    fc
      .tuple(
        tie("integer"),
        fc.constantFrom(...Object.keys(comparisons)),
        tie("integer"),
        fc.constantFrom(...Object.keys(comparisons)),
        tie("integer"),
      )
      .map(([first, one, second, other, third]) =>
        known(
          `${first.text} ${one} ${second.text} ${other} ${third.text}`,
          comparisons[one]!(first.value, second.value) && comparisons[other]!(second.value, third.value),
        ),
      ),
    fc
      .tuple(tie("text"), tie("text"))
      .map(([part, whole]) => known(`${part.text} in ${whole.text}`, whole.value.includes(part.value))),
    fc
      .tuple(tie("text"), tie("words"))
      .map(([word, list]) => known(`${word.text} not in ${list.text}`, !list.value.includes(word.value))),
    fc
      .tuple(tie("text"), tie("text"))
      .map(([one, other]) => known(`${one.text} == ${other.text}`, one.value === other.value)),
    fc
      .tuple(tie("text"), tie("text"))
      .map(([whole, start]) =>
        known(`${whole.text}.startswith(${start.text})`, whole.value.startsWith(start.value)),
      ),
    tie("text").map(({ text, value }) => known(`bool(${text})`, value !== "")),
    fc
      .tuple(tie("truth"), tie("truth"), tie("truth"))
      .map(([then, test, other]) =>
        known(
          `((${then.text}) if (${test.text}) else (${other.text}))`,
          test.value ? then.value : other.value,
        ),
      ),
  ),
  integer: fc.oneof(
    bounded,
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map((value) => known(`(${value})`, value)),
    fc.constant(known("depth", 2n)),
    tie("words").map(({ text, value }) => known(`len(${text})`, BigInt(value.length))),
    fc
      .tuple(tie("integer"), fc.constantFrom(...Object.keys(sums)), tie("integer"))
      .map(([left, sign, right]) =>
        known(`(${left.text} ${sign} ${right.text})`, sums[sign]!(left.value, right.value)),
      ),
  ),
  text: fc.oneof(
    bounded,
    fc
      .string({ maxLength: 4, unit: fc.constantFrom(..."abcdRM /.'\"\\é") })
      .map((value) => known(quoted(value), value)),
    fc.constantFrom(
      known("tool_name", "Bash"),
      known("command", knownCall.command),
      known("variables['words'][0]", "cd"),
    ),
    tie("text").map(({ text, value }) => known(`(${text}).upper()`, value.toUpperCase())),
    fc
      .tuple(tie("text"), tie("text"))
      .map(([left, right]) => known(`(${left.text} + ${right.text})`, left.value + right.value)),
  ),
  words: fc.oneof(
    bounded,
    fc.constant(known("variables.words", knownCall.variables.words)),
    fc.array(tie("text"), { maxLength: 3 }).map((items) =>
      known(
        `[${items.map(({ text }) => text).join(", ")}]`,
        items.map(({ value }) => value),
      ),
    ),
  ),
}))

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** Conditions over `knownCall` that are neither too long nor too deep to be read. */
export const knownCondition = truth
  .filter(({ text }) => text.length < 5_000)
  .map(({ text, value }) => ({ text, isTrue: value }))
