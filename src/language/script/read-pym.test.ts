import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { createRangeFinder } from "../../ground/diagnostics/position.ts"
import { deriveScriptParameters } from "./parameters.ts"
import { readPym } from "./read-pym.ts"

/** The codes of the findings, with their lines and columns. */
function findings(text: string): readonly string[] {
  const find = createRangeFinder(text)
  return readPym(text).problems.map(({ code, start, end }) => {
    const { line, column } = find({ start, end }).start
    return `${code} ${line}:${column}`
  })
}

const external = (head: string, body = "...") => `@external\n${head}\n    ${body}\nawait f(1)\n`

describe("the check of a script", () => {
  test.each<[string, string, readonly string[]]>([
    ["a class", "x = 1\nclass A:\n    y = 1\n", ["E001 2:1"]],
    ["a generator", "def f():\n    yield 1\n", ["E002 2:5"]],
    ["a generator of another", "def f():\n    x = yield from g()\n", ["E002 2:9"]],
    ["with", "with a as b:\n    x = 1\n", ["E003 1:1"]],
    ["async with", "async def f():\n    async with a:\n        x = 1\n", ["E003 2:11"]],
    ["match", "match x:\n    case 1:\n        y = 1\n", ["E004 1:1"]],
    ["match of a call", "match (x):\n    case 1: y = 1\n", ["E004 1:1"]],
    ["an import", "import os\n", ["E005 1:1"]],
    ["the second import", "import typing, os.path as p\n", ["E005 1:1"]],
    ["an import from a module", "from os import path\n", ["E005 1:1"]],
    ["an import behind another statement", "x = 1; import json\n", ["E005 1:8"]],
    ["an import in a function", "def f():\n    from json import loads\n", ["E005 2:5"]],
    ["a relative import", "from . import a\n", ["E005 1:1"]],
    ["a parameter without a type", external("async def f(a) -> int:"), ["E006 2:1"]],
    ["no return type", external("async def f(a: int):"), ["E006 2:1"]],
    ["an external function with code", external("async def f(a: int) -> int:", "return a"), ["E007 2:1"]],
    ["an input without a type", 'x = Input("x")\nx\n', ["E008 1:1"]],
    ["an input whose name is computed", "x: int = Input(n)\nx\n", ["E008 1:1"]],
    ["global", "def f():\n    global x\n", ["E009 2:5"]],
    ["nonlocal", "def f():\n    nonlocal x\n", ["E010 2:5"]],
    ["del", "del x[0]\n", ["E011 1:1"]],
    ["lambda", "f = lambda x: x\n", ["E012 1:5"]],
    ["lambda in an f-string", `f"{(lambda: 1)()}"\n`, ["E012 1:5"]],
    ["a bare dict as the result", 'x = 1\n{"a": x}\n', ["W001 2:1"]],
    ["a bare list as the result", "[1, 2]\n", ["W001 1:1"]],
    ["an external function without a call", "@external\ndef f() -> int: ...\n1\n", ["W002 2:1"]],
    ["an input without a use", 'x: int = Input("x")\n1\n', ["W003 1:1"]],
    ["an input that is only an argument's name", 'x: int = Input("x")\nf(x=1)\n', ["W003 1:1"]],
    ["201 lines", `${"x = 1\n".repeat(201)}`, ["W004 1:1"]],
    ["a text that never ends", 'x = "abc\ny = 1\n', ["syntax 1:5"]],
    ["a bracket that is never closed", "x = (1,\n", ["syntax 1:5"]],
    ["a bracket that closes nothing", "x = 1)\n", ["syntax 1:6"]],
    ["two faults in the order of their places", "del x\nclass A: ...\n", ["E011 1:1", "E001 2:1"]],
  ])("finds %s", (_, text, expected) => expect(findings(text)).toEqual(expected))

  test.each<[string, string]>([
    ["names that only contain such words", "classes = 1\nmatch = 2\nmatch.x = 3\ndelete = 4\nclasses\n"],
    ["such words in texts and comments", '# class\nx = "import os"\nf"""lambda {x}"""\n'],
    [
      "imports of grail and typing",
      "from grail import Input, external\nfrom typing import Any\nimport typing\n",
    ],
    ["a set and comprehensions as the result", "{1, 2}\n"],
    ["a comprehension", "[x for x in y]\n"],
    ["200 lines", "x = 1\n".repeat(200)],
    ["an input that an f-string uses", 'x: int = Input("x")\nf"{x:>{10}}"\n'],
    ["quotes of an f-string in its expression", 'x: str = Input("x")\nf"{x.replace("a", "\\"")}"\n'],
    ["nothing", ""],
  ])("takes %s", (_, text) => expect(findings(text)).toEqual([]))

  test("never throws, whatever the text is", () => {
    const piece = fc.constantFrom(
      ...[
        "f'",
        "{",
        "}",
        '"""',
        "'",
        "\\",
        "\n",
        "    ",
        "@external",
        "def f(",
        ")",
        ":",
        "Input",
        "(",
        "=",
        "x",
        "…",
        "\0",
      ],
    )
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (text) => {
          expect(Array.isArray(readPym(text).problems)).toBe(true)
        },
      ),
      { numRuns: rounds(3_000) },
    )
  })

  test("takes a deep text without an overflow", () => {
    for (const text of [
      "(".repeat(100_000),
      `f'{${"f'{".repeat(50_000)}`,
      "[".repeat(150),
      `x${".a".repeat(100_000)}`,
    ])
      expect(readPym(text).problems.length).toBeLessThanOrEqual(1)
  })
})

describe("the inputs of a script", () => {
  const schemaOf = (annotation: string, rest = "") =>
    deriveScriptParameters(readPym(`x: ${annotation} = Input("x"${rest})\nx\n`).inputs).schema

  test.each<[string, object]>([
    ["int", { type: "integer" }],
    ["float", { type: "number" }],
    ["bool", { type: "boolean" }],
    ["str", { type: "string" }],
    ["list[str]", { type: "array", items: { type: "string" } }],
    ["list", { type: "array", items: {} }],
    ["set[int]", { type: "array", items: { type: "integer" } }],
    ["tuple[int, ...]", { type: "array", items: { type: "integer" } }],
    ["list[list[float]]", { type: "array", items: { type: "array", items: { type: "number" } } }],
    ["dict[str, Any]", { type: "object" }],
    ["Any", {}],
    ["typing.Any", {}],
    ["list[object]", { type: "array", items: {} }],
    ["None", { type: "null" }],
    ["str | None", { type: "string" }],
    ["Optional[int]", { type: "integer" }],
    ["int | str | None", { anyOf: [{ type: "integer" }, { type: "string" }] }],
    ["Union[int, str]", { anyOf: [{ type: "integer" }, { type: "string" }] }],
    ['Literal["a", 1]', { enum: ["a", 1] }],
    ['"int"', { type: "integer" }],
    ["Path", { type: "string" }],
  ])("have the schema of %s", (annotation, expected) =>
    expect(schemaOf(annotation)).toEqual({
      type: "object",
      properties: { x: expected },
      required: ["x"],
      additionalProperties: false,
    }),
  )

  test.each<[string, unknown]>([
    ["1", 1],
    ["-1.5", -1.5],
    ["True", true],
    ['"a" "b"', "ab"],
    ["'\\x41\\n'", "A\n"],
    ['["a", 1]', ["a", 1]],
    ['{"a": None}', { a: null }],
  ])("have the default %s", (text, expected) =>
    expect(schemaOf("Any", `, default=${text}`)).toEqual({
      type: "object",
      properties: { x: { default: expected } },
      additionalProperties: false,
    }),
  )

  test("are changed by overrides, and those that the host gives are left out", () => {
    const { inputs } = readPym(
      'a: int = Input("a")\nb: str = Input("b", default="x")\nfile_input: str = Input("target_file")\nf(a, b, file_input)\n',
    )
    const overrides = { a: { type: "number", description: "A.", default: 2 }, b: { required: true }, c: {} }
    expect(deriveScriptParameters(inputs, { overrides, injected: ["target_file"] })).toEqual({
      schema: {
        type: "object",
        properties: {
          a: { type: "number", description: "A.", default: 2 },
          b: { type: "string", default: "x" },
        },
        required: ["b"],
        additionalProperties: false,
      },
      warnings: [
        expect.stringContaining('"c"'),
        expect.stringMatching(/type of a from "integer" to "number"/),
        expect.stringMatching(/required of b from false to true/),
      ],
    })
  })
})

test("declarations are blanked, and every statement stands at its own line", () => {
  const text =
    'from grail import Input\nx: int = Input(\n    "x",\n)\n@external\nasync def f(a: int, *rest: int, **more: int) -> int:\n    "Doc"\n    ...\nawait f(x)\n'
  const { program, externals, inputs } = readPym(text)
  const { start, end, ...external } = externals[0]!
  expect(external).toEqual({ name: "f", parameters: ["a", "rest", "more"] })
  expect(text.slice(start, end)).toBe("async def f(a: int, *rest: int, **more: int) -> int:")
  expect(inputs.map(({ name }) => name)).toEqual(["x"])
  expect(program.split("\n").map((line) => line.trimEnd())).toEqual([
    ...["", "", "", "", ""],
    "async def f(a: int, *rest: int, **more: int) -> int:",
    '    "Doc"',
    '    return __external__("f", {"a": a, "rest": list(rest), "more": more})',
    "await f(x)",
    "",
  ])
})

test.each<[string, string, string | undefined]>([
  ["the text at its top", '"""Counts."""\nx = 1\n', "Counts."],
  ["its first comment", "#!/usr/bin/env grail\n# Counts\n# lines.\nx = 1\n", "Counts\nlines."],
  ["nothing", "x = 1\n# later\n", undefined],
])("a script is described by %s", (_, text, expected) => expect(readPym(text).description).toBe(expected))
