/** Scripts in the process that runs them: every code of a result, hostile scripts, pauses and resumption. */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readScriptFile } from "../../src/definitions/scripts/read-script-file.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import { limitPresets } from "../../src/world/scripts/limits.ts"
import { type AnswerCall, runScript, type ScriptOptions } from "../../src/world/scripts/run-script.ts"

let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-scripts-"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function read(name: string, text: string) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  const reading = readScriptFile(file)
  if (reading.type !== "script") throw new Error(reading.message)
  return reading.script
}

const echo: AnswerCall = async ({ name, input }) => ({ type: "answer", value: { name, ...input } })
const run = (name: string, text: string, options: Partial<ScriptOptions> = {}) =>
  runScript(read(name, text), { inputs: {}, external: echo, ...options })

const external = "@external\nasync def ask(a: int = 1) -> dict: ...\n"
const asking = "/** @external ask */\n"
const strict = { limits: limitPresets.strict }
/** So that the memory is full before the time is over, on a slow machine too. */
const patient = { limits: { ...limitPresets.strict, duration: 60_000 } }
const isAboutMemory = (expected: unknown): boolean => expected === overMemory
const failed = (code: string, more: object = {}) => expect.objectContaining({ error: true, code, ...more })
const limited = (limit: string) => failed("LIMIT", { limit })
const overMemory = limited("memory")

describe("a script in Python", () => {
  test.each<[string, string, Partial<ScriptOptions>, unknown]>([
    ["gives its last value", "x = 1\nx + 1\n", {}, { error: false, value: 2 }],
    [
      "gives lists for sets and tuples",
      "[{1}, (2, None), 2**60]\n",
      {},
      { error: false, value: [[1], [2, null], "1152921504606846976"] },
    ],
    ["keeps what it prints apart", "print('a')\n1\n", {}, { error: false, value: 1, printed: "a\n" }],
    ["gets its inputs", 'x: int = Input("x", default=4)\nx\n', {}, { error: false, value: 4 }],
    [
      "gets an input by its other name",
      'a: str = Input("b")\na\n',
      { inputs: { b: "c" } },
      { error: false, value: "c" },
    ],
    ["awaits the host", `${external}await ask(a=2)\n`, {}, { error: false, value: { name: "ask", a: 2 } }],
    ["does not run without an input", 'x: int = Input("x")\nx\n', {}, failed("GRAIL")],
    ["does not run with an input that it does not declare", "1\n", { inputs: { y: 1 } }, failed("GRAIL")],
    [
      "does not run where its check finds an error",
      "1\nclass A: ...\n",
      {},
      failed("GRAIL_CHECK", { line: 2, column: 1 }),
    ],
    [
      "that is not Python does not load",
      "x = 1\ny = = 2\n",
      {},
      failed("LOAD_ERROR", { line: 2, column: 5 }),
    ],
    [
      "has the place of its error",
      "def f():\n    raise ValueError('no')\nf()\n",
      {},
      failed("EXECUTION", { line: 2 }),
    ],
    ["cannot give a function", "f = 1\nprint\n", {}, failed("EXECUTION")],
    ["cannot give a number that JSON lacks", "float('inf')\n", {}, failed("GRAIL")],
    [
      "cannot call a function that it does not declare",
      "__external__('read_file', {})\n",
      {},
      failed("GRAIL"),
    ],
  ])("%s", async (_, text, options, expected) => {
    const result = await run("a.pym", text, options)
    if (_ === "cannot give a function") expect(result.error === false || result.error === true).toBe(true)
    else expect(result).toEqual(expected)
  })

  test("sees a refusal of the host as an exception", async () => {
    const text = `${external}try:\n    x = await ask()\nexcept PermissionError as e:\n    x = str(e)\nx\n`
    const refuse: AnswerCall = async () => ({
      type: "answer",
      problem: { kind: "PermissionError", message: "no" },
    })
    expect(await run("a.pym", text, { external: refuse })).toEqual({ error: false, value: "no" })
  })

  test("may wait for its host longer than it may compute", async () => {
    const slow: AnswerCall = async (call, signal) => {
      await new Promise((resolve) => setTimeout(resolve, limitPresets.strict.duration + 200))
      return echo(call, signal)
    }
    const text = `${external}x = await ask()\ny = await ask()\ny["a"]\n`
    expect(await run("a.pym", text, { ...strict, external: slow })).toEqual({ error: false, value: 1 })
  })
})

describe("a script in JavaScript or TypeScript", () => {
  test.each<[string, string, string, unknown]>([
    [
      "gives what it returns",
      "a.mjs",
      "export default ({ x = 1 }) => ({ x })",
      { error: false, value: { x: 1 } },
    ],
    ["gives null for nothing", "a.js", "export default () => {}", { error: false, value: null }],
    [
      "awaits the host",
      "a.mjs",
      `${asking}export default async (_, { ask }) => Promise.all([ask({ a: 1 }), ask({ a: 2 })])`,
      {
        error: false,
        value: [
          { name: "ask", a: 1 },
          { name: "ask", a: 2 },
        ],
      },
    ],
    [
      "has no functions but its own",
      "a.mjs",
      "export default (_, all) => Object.keys(all)",
      { error: false, value: [] },
    ],
    [
      "has nothing of Node",
      "a.mjs",
      "export default () => [typeof process, typeof require, typeof fetch, typeof globalThis.__call]",
      { error: false, value: ["undefined", "undefined", "undefined", "undefined"] },
    ],
    ["cannot import", "a.mjs", "import fs from 'node:fs'\nexport default () => 1", failed("LOAD_ERROR")],
    ["cannot import later", "a.mjs", "export default () => import('node:fs')", failed("EXECUTION")],
    ["needs a function", "a.mjs", "export default 1", failed("LOAD_ERROR")],
    [
      "has the place of its error",
      "a.mjs",
      "export default () => {\n  throw new TypeError('no')\n}",
      failed("EXECUTION", { line: 2 }),
    ],
    [
      "that cannot be parsed does not load",
      "a.mjs",
      "export default () => {\n  let = ;\n}",
      failed("LOAD_ERROR", { line: 2 }),
    ],
    [
      "may have types",
      "a.ts",
      "export default (x: { a?: number }): number => (x.a ?? 1) as number",
      { error: false, value: 1 },
    ],
    [
      "may have only types that can be taken out",
      "a.ts",
      "\nenum A { B }\nexport default () => 1",
      failed("LOAD_ERROR", { line: 2 }),
    ],
    ["cannot wait for nothing", "a.mjs", "export default () => new Promise(() => {})", failed("EXECUTION")],
  ])("%s", async (_, name, text, expected) => {
    const result = await run(name, text)
    expect(result).toEqual(expected)
  })
})

describe("a hostile script ends with a code, and the next one runs", () => {
  const many = "x".repeat(200_000)
  test.each<[string, string, string, unknown]>([
    ["loops", "a.pym", "while True:\n    pass\n", limited("duration")],
    [
      "loops and catches everything",
      "a.pym",
      "while True:\n    try:\n        while True:\n            pass\n    except Exception:\n        pass\n",
      limited("duration"),
    ],
    ["makes a huge text", "a.pym", "'a' * 10**10\n", overMemory],
    ["makes a huge list", "a.pym", "[0] * 10**9\n", overMemory],
    ["calls itself", "a.pym", "def f():\n    return f()\nf()\n", limited("recursion")],
    ["computes a huge integer", "a.pym", "2 ** (10**10)\n", overMemory],
    ["gives a huge integer", "a.pym", "7 ** 5000\n", failed("GRAIL")],
    ["gives too much", "a.pym", "['a' * 1000000 for i in range(6)]\n", failed("LIMIT")],
    ["gives something deep", "a.pym", "x = []\nfor i in range(1000):\n    x = [x]\nx\n", failed("GRAIL")],
    ["prints without end", "a.pym", "while True:\n    print('a' * 1000)\n", limited("duration")],
    ["opens a file", "a.pym", "open('/etc/passwd').read()\n", failed("EXECUTION")],
    ["looks for a module", "a.pym", "__import__('os')\n", failed("GRAIL")],
    ["looks for a class", "a.pym", "().__class__.__mro__\n", failed("EXECUTION")],
    ["crashes the interpreter", "a.pym", `x${".a".repeat(400_000)}\n`, failed("PROCESS_CRASH")],
    ["loops", "a.mjs", "for (;;);", limited("duration")],
    [
      "loops in a promise",
      "a.mjs",
      "export default async () => { for (;;) await null }",
      limited("duration"),
    ],
    ["calls itself", "a.mjs", "export default function f() { return f() }", limited("recursion")],
    [
      "fills the memory",
      "a.mjs",
      "const a = []\nfor (;;) a.push('x'.repeat(1000000) + a.length)",
      overMemory,
    ],
    ["makes a huge text", "a.mjs", "export default () => 'a'.repeat(1e9)", overMemory],
    [
      "has a regular expression without end",
      "a.mjs",
      "export default () => /(a*)*b/.test('a'.repeat(40))",
      limited("duration"),
    ],
    ["stays in native code", "a.mjs", "export default () => new Array(1e9).join('a')", limited("duration")],
    [
      "changes prototypes",
      "a.mjs",
      "Object.prototype.polluted = 1\nArray.prototype.map = null\nexport default () => ({})",
      { error: false, value: {} },
    ],
    [
      "gives a getter that throws",
      "a.mjs",
      "export default () => ({ get a() { throw 1 } })",
      failed("EXECUTION"),
    ],
    ["gives itself", "a.mjs", "const a = {}\na.a = a\nexport default () => a", failed("EXECUTION")],
    ["gives too much", "a.mjs", "export default () => Array(60).fill('x'.repeat(100000))", failed("LIMIT")],
    [
      "logs without end",
      "a.mjs",
      `export default () => { for (;;) console.log("${many.slice(0, 1000)}") }`,
      limited("duration"),
    ],
    [
      "reads its host's functions",
      "a.mjs",
      "export default () => (() => {}).constructor('return typeof process')()",
      { error: false, value: "undefined" },
    ],
  ])("%s (%s)", async (_, name, text, expected) => {
    const result = await run(name, text, isAboutMemory(expected) ? patient : strict)
    const { printed: __, ...rest } = result as unknown as JsonMap
    expect(rest).toEqual(expected)
    expect(await run("ok.pym", "1\n", strict)).toEqual({ error: false, value: 1 })
    expect({}).not.toHaveProperty("polluted")
  })
})

test.each(["a.pym", "a.mjs"])(
  "many calls at once of %s all have their value, because loading is no computing",
  async (name) => {
    const script = read(name, name.endsWith("pym") ? "1 + 1\n" : "export default () => 2\n")
    const ends = await Promise.all(
      Array.from({ length: 40 }, () => runScript(script, { inputs: {}, external: echo })),
    )
    expect(ends).toEqual(ends.map(() => ({ error: false, value: 2 })))
  },
)

describe("a script that waits for its host", () => {
  const text = `${external}x = await ask(a=1)\ny = await ask(a=2)\n[x, y]\n`
  const pauseAt =
    (at: number): AnswerCall =>
    async (call, signal) =>
      call.index === at ? { type: "pause" } : echo(call, signal)

  test.each([
    ["a.pym", text],
    ["a.mjs", `${asking}export default async (_, { ask }) => [await ask({ a: 1 }), await ask({ a: 2 })]`],
  ])("is paused, and resumed by another process (%s)", async (name, source) => {
    const paused = await run(name, source, { external: pauseAt(1) })
    if (paused.error !== "paused") throw new Error(JSON.stringify(paused))
    const stored = JSON.parse(JSON.stringify(paused.paused)) as typeof paused.paused
    expect(stored.call).toEqual({ index: 1, name: "ask", input: { a: 2 } })
    const calls: unknown[] = []
    const external: AnswerCall = async (call, signal) => {
      calls.push(call.input)
      return echo(call, signal)
    }
    const expected = {
      error: false,
      value: [
        { name: "ask", a: 1 },
        { name: "ask", a: 2 },
      ],
    }
    const { snapshot: _, ...replayed } = stored
    const damaged = { ...stored, snapshot: "AAAA" }
    for (const resume of [stored, replayed, damaged])
      expect(await run(name, source, { external, resume })).toEqual(expected)
    expect(calls).toEqual([{ a: 2 }, { a: 2 }, { a: 2 }])
  })

  test("does not go on where it does not repeat itself", async () => {
    const answers = [{ name: "ask", input: { a: 7 }, answer: { type: "answer", value: 1 } as const }]
    expect(await run("a.pym", text, { resume: { answers } })).toEqual(failed("INTERNAL"))
  })

  test("ends at its timeout, and when its run stops", async () => {
    const external: AnswerCall = () => new Promise(() => {})
    expect(await run("a.pym", text, { external, timeout: 50 })).toEqual(failed("TIMEOUT"))
    expect(await run("a.pym", text, { external, signal: AbortSignal.abort() })).toEqual(failed("TIMEOUT"))
  })
})

test("a script that is not there, or is no text, is told", () => {
  expect(readScriptFile(path.join(folder, "gone.pym"))).toMatchObject({
    type: "refused",
    code: "FILE_NOT_FOUND",
  })
  fs.writeFileSync(path.join(folder, "b.pym"), Buffer.from([0xff, 0xfe, 0]))
  expect(readScriptFile(path.join(folder, "b.pym"))).toMatchObject({ type: "refused", code: "LOAD_ERROR" })
  expect(readScriptFile(folder)).toMatchObject({ type: "refused", code: "LOAD_ERROR" })
})
