import { describe, expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import type { Json } from "../../ground/message.ts"
import { checkCondition, evaluateToJson, parseCondition } from "./condition.ts"

/** The values of the names in these tables. */
const given = {
  n: 2,
  zero: 0,
  half: 0.5,
  off: null,
  word: "Bash",
  command: "cd src && python3 -m pytest",
  list: [3, 1, 2],
  words: ["b", "a", ""],
  map: { a: 1, b: { c: [4, 5] }, items: 7, if: 8 },
} as const

function worth(text: string, variables: Readonly<Record<string, Json>> = given): Json {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return `refused at ${parsed.problem.offset}: ${parsed.problem.message}`
  const answer = evaluateToJson(parsed, variables)
  return answer.type === "value" ? answer.value : `fails: ${answer.problem.message}`
}

describe("a condition comes to what it comes to in Python", () => {
  test.each<[string, readonly [string, Json][]]>([
    [
      "`is` compares, and binds like `==`",
      [
        ["n + 1 is None", false],
        ["off is None", true],
        ["nobody is not None", false],
        ["not off is None", false],
        ["n is not None is not False", true],
        ["off is None == True", false],
        ["(off is None) == True", true],
        ["1 is True", false],
        ["True is (n == 2)", true],
        ["[] is []", false],
        ["list is list", true],
        ["1 < n is not None", true],
        ["n in [2] in [[2]]", true],
        ["'a' is 'a'", true],
        ["1 is 1.0", false],
      ],
    ],
    [
      "powers go from right to left and before a sign on their left",
      [
        ["2 ** 3 ** 2", 512],
        ["-2 ** 2", -4],
        ["(-2) ** 2", 4],
        ["2 ** -1", 0.5],
        ["-n ** -n", -0.25],
        ["2 * n ** 2", 8],
        ["~n ** 2", -5],
        ["- - n", 2],
        ["not -n", false],
        ["-n.real", 'fails: "-" does not work on none.'],
      ],
    ],
    [
      "chains",
      [
        ["1 < n < 3", true],
        ["1 < n > 1 != 2", true],
        ["3 > n > 1 / 0", "fails: This divides by zero."],
        ["3 < n > 1 / 0", false],
        ["1 == 1.0 == True", true],
        ["'a' in 'ab' in ['ab']", true],
        ["n not in list not in [list]", false],
      ],
    ],
    [
      "values and truth",
      [
        ["off or word", "Bash"],
        ["word and list", [3, 1, 2]],
        ["'' or 0 or []", []],
        ["[not x for x in ('', 0, 0.0, [], {}, set(), (), None, False, range(0))]", Array(10).fill(true)],
        ["[not x for x in (' ', -1, 0.1, [0], {0: 0}, {0}, (0,), True, range(1))]", Array(9).fill(false)],
        ["'yes' if n > 1 else 'no' if n else 'none'", "yes"],
      ],
    ],
    [
      "numbers",
      [
        ["[-7 // 2, -7 % 2, 7 // -2, 7 % -2]", [-4, 1, -4, -1]],
        ["[7.5 // -2, 7.5 % -2, -7.5 % 2]", [-4, -0.5, 0.5]],
        ["str(2 ** 100)", "1267650600228229401496703205376"],
        ["10 ** 400 / 10 ** 399", 10],
        ["True + True", 2],
        ["[6 & 3, 6 | 3, 6 ^ 3, 1 << 4, 17 >> 2, ~6]", [2, 7, 5, 16, 4, -7]],
        ["1 | 2 == 3", true],
        ["1 + 2 << 1", 6],
        ["[.5, 5., 1e3, 0x1F, 0b11, 0o17, 1_000]", [0.5, 5, 1000, 31, 3, 15, 1000]],
        ["round(2.5) == 2 and round(1234, -2) == 1200", true],
        ["int('x')", 'fails: "x" is not an integer.'],
      ],
    ],
    [
      "what has no order fails, and is not false",
      [
        ["'a' < 1", "fails: a string and an integer cannot be compared by size."],
        ["off < 1", "fails: none and an integer cannot be compared by size."],
        ["[1] < ['a']", "fails: an integer and a string cannot be compared by size."],
        ["{} < {}", "fails: a dict and a dict cannot be compared by size."],
        ["1 == 'a'", false],
        ["[1, 2] == (1, 2)", false],
        ["(1, 'b') < (1, 'c')", true],
        ["{1} < {1, 2} <= {2, 1}", true],
        ["{1, 2} < {2, 3}", false],
      ],
    ],
    [
      "sets",
      [
        ["sorted({3, 1} | {2})", [1, 2, 3]],
        ["{1, 1.0, True}", [1]],
        ["sorted({'a', 'b'} - set(words))", []],
        ["word in {'Bash', 'Read'}", true],
        ["[] in {1}", "fails: a list cannot be in a set."],
        ["{[1]}", expect.stringMatching(/^fails: a list.*compared/)],
        ["map.keys() & {'a', 'z'}", ["a"]],
        ["{'a': 1} | {'a': 2, 'b': 3}", { a: 2, b: 3 }],
        ["{*words, 'z'} >= set(words)", true],
      ],
    ],
    [
      "loops in brackets",
      [
        ["[x * 2 for x in list if x > 1]", [6, 4]],
        ["[x + y for x in 'ab' if x != 'a' for y in 'cd']", ["bc", "bd"]],
        ["{w: len(w) for w in words}", { b: 1, a: 1, "": 0 }],
        ["sorted({len(w) for w in words})", [0, 1]],
        ["any(w in ('python', 'python3') or w.startswith('python3.') for w in command.split())", true],
        ["sum(x for x in list)", 6],
        ["[k for k, v in map.items() if v == 1]", ["a"]],
        ["[(a, b, c) for (a, *b), c in [([1, 2, 3], 4)]]", [[1, [2, 3], 4]]],
        ["next((x for x in list if x < 3), None)", 1],
        ["any(1 / x for x in [1, 0])", true],
        ["all(1 / x for x in [1, 0])", "fails: This divides by zero."],
        ["[n for n in [n]] + [n]", [2, 2]],
        ["[[n for n in [x, n]] for x in [7]]", [[7, 2]]],
        ["[y for x in [1] for y in y]", expect.stringMatching(/^fails: "y".*variable.*loop/)],
        ["[g for g in [(x for x in [1])]][0] is None", false],
        ["[sorted(g) for g in [(x for _ in [0]) for x in [1, 2]]]", [[2], [2]]],
        [
          "[sorted(g) for x in [1] for g in [(z for _ in [1] for z in g)]]",
          "fails: This loop iterates over itself.",
        ],
        ["(x for x in [1]) and 1", 1],
        ["[x for x in off]", expect.stringMatching(/^fails: none.*looped/)],
      ],
    ],
    [
      "f-strings",
      [
        ["f'{word}:{n}'", "Bash:2"],
        [
          "f'{n:>4}|{n:<4}|{n:^4}|{n:04}|{n:+d}|{half:.2%}|{1234567:,}|{255:#x}'",
          "   2|2   | 2  |0002|+2|50.00%|1,234,567|0xff",
        ],
        ["f'{word!r:>8} {words!s} {\"é\"!a}'", "  'Bash' ['b', 'a', ''] '\\xe9'"],
        ["f'{half:{n + 6}.{n}f}'", "    0.50"],
        ["f'{{}} {map[\"a\"]} {f\"{n}\"}' '!'", "{} 1 2!"],
        ["f'{n=} {n = !r:>3}'", "n=2 n =   2"],
        ["f'{[x for x in list if x > 1]} { {1: 2}[1] }'", "[3, 2] 2"],
        ["f'{n!=2}{n==2:5}'", "False    1"],
        ["rf'\\d{n}'", "\\d2"],
        ["f'{words:>4}'", expect.stringMatching(/^fails: .*list.*format/)],
      ],
    ],
    [
      "strings",
      [
        ["r'\\d' + '''it's''' + \"\\x41\"", "\\dit'sA"],
        ["command[-6:] + command[::7] + command[1]", "pytestc&opd"],
        ["'%s is %03d' % (word, n)", "Bash is 002"],
        ["'a,b,c'.rsplit(',', 1) + [*'x=y'.partition('=')]", ["a,b", "c", "x", "=", "y"]],
        ["word.lower() + word.upper() + ' x '.strip() + 'a-b'.title()", "bashBASHxA-B"],
      ],
    ],
    [
      "what is not there is null, and nothing is in it",
      [
        ["nobody", null],
        ["map.nobody.at.all", null],
        ["map['nobody']", null],
        ["list[99]", null],
        ["word.size", null],
        ["'x' in off", false],
        ["'x' not in nobody.at", true],
        ["map.a + map['b'].c[-1]", 6],
        ["map['items'] + map.if", 15],
        ["map['get']", null],
        ["off + 1", 'fails: "+" does not work on none and an integer.'],
        ["off[1:]", expect.stringMatching(/^fails: none.*sliced/)],
        ["list[half]", expect.stringMatching(/^fails.*index.*integer.*a float.?$/)],
        ["n[0]", "fails: an integer has no items by index."],
      ],
    ],
  ])("%s", (_, rows) => {
    expect(rows.map(([text]) => [text, worth(text)])).toEqual(rows)
  })
})

describe("what a condition cannot say is refused before it is ever asked", () => {
  test.each<[string, number, string | RegExp]>([
    ["lambda x: x", 0, /`lambda`.*function/],
    ["sorted(list, key=lambda x: -x)", 17, /`lambda` cannot be used/],
    ["(n := 1)", 3, /^A condition cannot set names/],
    ["n if word", 9, /^Unexpected end: expected "else"/],
    ["n, word", 1, /^Unexpected ","/],
    ["n # why", 2, /^A condition cannot have comments/],
    ["n && word", 2, 'Unexpected "&&". Write "and".'],
    ["n || word", 2, 'Unexpected "||". Write "or".'],
    ["!n", 0, 'Unexpected character "!". Write "not".'],
    ["n is defined", 5, /^`is defined` is for templates\..* write `is not None`\.$/],
    ["n is not defined", 9, / write `is None`\.$/],
    ["list | list", 7, /^`\| list` is for templates\. .* write `list\(…\)`\.$/],
    ["list.0", 4, /brackets/],
    ["1j", 1, /^Complex numbers/],
    ["b'x'", 0, /^Strings that begin with "b"/],
    ["12ab", 2, /number.*followed.*"ab".?$/],
    ["012", 0, /integer.*begin/],
    ["'a\nb'", 2, /string.*line/],
    ["f'{}'", 3, /braces/],
    ["f'{n'", 4, /string.*closed/],
    ["f'{n:3'", 2, /brace/],
    ["f'}'", 2, /single/],
    ["f'{n!x}'", 5, 'After "!" write s, r or a, not "x".'],
    ["[x for x in list, n]", 16, /^Unexpected ","/],
    ["any(x for x in list, n)", 6, /needs parentheses around it\.$/],
    ["[*x for x in list]", 1, /allowed.*loop/],
    ["[x for x.a in list]", 8, /variable.*loop/],
    ["[x for None in list]", 7, /^Unexpected "None": expected.*items.*loop/],
    ["[x for *a, *b in list]", 7, /take.*rest/],
    ["[x async for x in list]", 3, /^Unexpected "async"/],
    ["len(**map)", 4, /argument.*supported/],
    ["(*list)", 1, /tuple/],
    ["{1: 2, 3}", 8, /^Unexpected "}"/],
    ["word.uper()", 5, /^Unknown method "uper"\. Did you mean "upper"\?/],
    ["word.__class__", 5, /begin.*refused/],
    [`[x ${"for x in list ".repeat(21)}]`, 283, "There are more than 20 loops here."],
  ])("%j at %i", (text, offset, message) => {
    const parsed = parseCondition(text)
    expect(parsed).toMatchObject({
      type: "invalid",
      problem: { offset, message: typeof message === "string" ? message : expect.stringMatching(message) },
    })
  })
})

describe("a condition takes no more than some milliseconds and megabytes", () => {
  const rows: readonly [string, string][] = [
    ["[x for x in range(9999) for y in range(9999)]", "items"],
    ["any(False for x in range(9999) for y in range(9999))", "steps"],
    ["{x: y for x in range(9999) for y in range(9999)}", "items"],
    ["[[x for x in range(99)] for y in range(9999)]", "steps"],
    [`[1 ${"for x in 'ab' ".repeat(20)}]`, "items"],
    ["'a' * 10 ** 9", "characters"],
    ["10 ** 10 ** 10", "digits"],
    ["1 << 10 ** 10", "digits"],
    ["[0] * 10 ** 8", "items"],
    ["[*range(9000), *range(9000)]", "items"],
    ["range(10 ** 20)", "items"],
    ["f'{n:999999999}'", "characters"],
    ["f'{half:.999999999f}'", "characters"],
    ["'%*d' % (10 ** 9, 1)", "characters"],
    ["'a'.ljust(10 ** 9)", "characters"],
    ["'a'.center(10 ** 6).replace(' ', 'b' * 1000)", "characters"],
    ["['a' * 900000 for x in range(9000)]", "steps"],
    ["[('ab' * 400000).title() for x in range(9000)]", "steps"],
    ["('a' * 400000).rsplit('a')", "steps"],
    ["[7 ** 5000 // 3 ** 4000 for x in range(9000)]", "steps"],
    ["[f'{7 ** 5000:x}' for x in range(9000)]", "steps"],
    ["[f'{x / 3:.300e}' for x in range(9000)]", "steps"],
    ["[sorted(range(9000)) for x in range(100)]", "steps"],
    ["[[1] * 9000] * 9000 == [[1] * 9000] * 9000", "steps"],
    ["list(zip(*[range(9000)] * 9000))", "steps"],
    ["sum([[1] * 5000] * 5000, [])", "items"],
    [`${"(".repeat(200)}n${")".repeat(200)}`, "depth"],
    [`${"[".repeat(200)}${"]".repeat(200)}`, "depth"],
    [`${"[x for x in ".repeat(120)}n${"]".repeat(120)}`, "depth"],
    [`${"f'{".repeat(120)}n${"}'".repeat(120)}`, "depth"],
    [`n${" ** n".repeat(200)}`, "depth"],
    [`${"-".repeat(200)}n`, "depth"],
  ]
  test.each(rows.map(([text, limit]) => [limit, text.slice(0, 60), text]))("%s: %s", (limit, _, text) => {
    const began = processorTime()
    const parsed = parseCondition(text)
    const answer =
      parsed.type === "invalid" ? parsed : checkCondition(parsed, { ...given, list: null } as never)
    expect(answer).toMatchObject({ problem: { limit, message: expect.stringMatching(/\.$/) } })
    expect(processorTime() - began).toBeLessThan(3_000)
  })
})

test("the names of a condition are those that it finds outside of its loops", () => {
  const parsed = parseCondition(
    "[a + b.c for a in a if d(e) for f, *g in h(f) for i in [j.k for j in a]] + [f'{l:{m}}', *n, {**o}, len(p)]",
  )
  expect(
    parsed.type === "condition" &&
      parsed.names.map(({ name, path, isCalled }) => [name, ...path, ...(isCalled ? ["()"] : [])]),
  ).toEqual([["b", "c"], ["a"], ["d", "()"], ["e"], ["h", "()"], ["l"], ["m"], ["n"], ["o"], ["p"]])
})

test("`round` is Python's where it is called, and what hooks call so where it is not", () => {
  expect(
    ["round == 3 and round(2.6) == round", "round is None"].map((text) => worth(text, { round: 3 })),
  ).toEqual([true, false])
  expect(worth("round is None and [round(x) for x in [1.5]] == [2]", {})).toBe(true)
})
