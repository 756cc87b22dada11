import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { draw } from "../../scripts/mutate/draw.ts"
import { equivalents } from "../../scripts/mutate/equivalent.ts"
import { findFaults, type Result } from "../../scripts/mutate/find-faults.ts"
import { type Fault, faultsIn } from "../../scripts/mutate/places.ts"
import { putIn } from "../../scripts/mutate/put-in.ts"
import { isDone, report } from "../../scripts/mutate/report.ts"

const root = path.resolve(import.meta.dirname, "../..")

describe("the faults of a text", () => {
  const of = (text: string) =>
    faultsIn("a.ts", text).map(({ kind, before, after }) => `${kind}: ${before} → ${after}`)
  test.each<[string, readonly string[]]>([
    [
      "if (a < 1) f()",
      [
        "never: a < 1 → false",
        "always: a < 1 → true",
        "<= for <: a < 1 → a <= 1",
        "another number: 1 → 0",
        "left out: f() → ",
      ],
    ],
    ["const x = a && b", ["without the second: a && b → a", "without the first: a && b → b"]],
    ["const x = { ...(a && { b }) }", ["without it: (a && { b }) → {}"]],
    ["const x = a ?? c", ["without the default: a ?? c → a"]],
    ["const x = a ? b : c", ["always the first: a ? b : c → b", "always the second: a ? b : c → c"]],
    ["const x = l.some(f)", ["every for some: l.some(f) → l.every(f)"]],
    ["const x = l?.m.some(f).c", []],
    [
      "const x = [a, ...b]",
      ["without an element: [a, ...b] → [...b]", "without an element: [a, ...b] → [a]"],
    ],
    ['const x = { type: "end", text: "Some words." }', ['another word: "end" → "end?"']],
    ['type A = "x"; interface B { c: true }', []],
    [`throw new CadreError(\`\${a ? 1 : 2}\`)`, []],
    [`const x = \`\${a === b}\``, []],
    ["const x = !a", ["not negated: !a → a"]],
    ["const x = await f()", ["not awaited: await f() → f()"]],
  ])("%s", (text, expected) => expect(of(text)).toEqual(expected))
})

describe("a text with faults", () => {
  const text = "const a = [1, 2]\nf(a)\na.length === 2 && g()\n"
  const numbered = faultsIn("a.ts", text).map((fault, index) => ({ ...fault, number: index + 1 }))
  const run = (on: number) => {
    const called: string[] = []
    const chosen = numbered.filter(({ kind }) => kind === "left out" || kind === "!== for ===").slice(0, 2)
    const code = putIn(text, chosen)
    new Function("globalThis", "f", "g", code)(
      { __fault: (number: number) => number === on },
      () => called.push("f"),
      () => called.push("g"),
    )
    return { called, numbers: chosen.map(({ number }) => number) }
  }
  test("does what it did until one of them is switched on", () => {
    const { called, numbers } = run(0)
    expect(called).toEqual(["f", "g"])
    expect(run(numbers[0]!).called).toEqual(["g"])
    expect(run(numbers[1]!).called).toEqual(["f"])
  })
  test("cannot have two that overlap", () => {
    expect(() => putIn(text, numbered)).toThrow("overlap")
  })
})

test("a draw depends on its seed alone, is as large from each area, and has no two faults at one place", () => {
  const faults = (file: string) =>
    Array.from(
      { length: 40 },
      (_, index): Fault => ({
        file,
        start: index,
        end: index + 2,
        line: 1,
        kind: "k",
        before: "b",
        after: "a",
        form: "expression",
      }),
    )
  const areas = new Map([
    ["one", faults("a.ts")],
    ["two", faults("b.ts")],
  ])
  const drawn = draw(areas, { count: 10, seed: 3 })
  expect(draw(areas, { count: 10, seed: 3 })).toEqual(drawn)
  expect(draw(areas, { count: 10, seed: 4 })).not.toEqual(drawn)
  expect(drawn.filter(({ area }) => area === "one").length).toBe(5)
  for (const one of drawn)
    expect(
      drawn.filter(({ file, start, end }) => file === one.file && start < one.end && one.start < end),
    ).toEqual([one])
})

test("what is known to change nothing is still there, and has a reason", () => {
  for (const { file, before, after, why } of equivalents) {
    const text = fs.readFileSync(path.join(root, file), "utf8")
    const found = faultsIn(file, text).some((fault) => fault.before === before && fault.after === after)
    expect({ file, before, after, found, hasReason: why.length > 20 }).toEqual({
      file,
      before,
      after,
      found: true,
      hasReason: true,
    })
  }
})

describe("a fault that the sweep cannot judge", () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "mutate-alone-")))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  test("is tried alone, and the others are tried all the same", async () => {
    const write = (name: string, lines: readonly string[]) => {
      fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), [...lines, ""].join("\n"))
    }
    write("package.json", ['{ "type": "module" }'])
    fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"))
    // The first is read when the file is loaded, the second ends the process, and the third spoils what comes after it.
    write("src/odd.ts", [
      "export const first = 7",
      'export function second(ends: boolean) { if (ends) process.kill(process.pid, "SIGKILL") }',
      "const kept = new Set<string>()",
      "export function third(name: string) { const before = kept.has(name); kept.add(name); kept.delete(name); return before }",
      'export const fourth = (one: string) => one.startsWith("a")',
    ])
    write("src/odd.test.ts", [
      'import { expect, test } from "vitest"',
      'import { first, fourth, second, third } from "./odd.ts"',
      'test("first", () => expect(first).toBe(7))',
      'test("second", () => second(false))',
      'test("third", () => expect(third("x")).toBe(false))',
      'test("fourth", () => expect(fourth("ab")).toBe(true))',
    ])
    const results = await findFaults({
      root: folder,
      folders: { all: ["src"] },
      count: 20,
      seed: 1,
      workers: 1,
      folder,
      swept: path.join(folder, "swept.json"),
      until: Number.POSITIVE_INFINITY,
    })
    const came = Object.fromEntries(results.map((one) => [`${one.line} ${one.kind}`, one.came]))
    expect(came).toMatchObject({
      "1 another number": "found",
      "2 always": "found",
      "5 endsWith for startsWith": "found",
    })
  }, 120_000)
})

describe("a project with a test", () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "mutate-")))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  let results: readonly Result[] = []
  beforeAll(async () => {
    fs.mkdirSync(path.join(folder, "src"))
    const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text)
    write("package.json", '{ "type": "module" }')
    fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"))
    write(
      "src/sign.ts",
      [
        "export const both = (a: boolean, b: boolean) => a && b",
        "export const not = (a: boolean) => !a",
        "export const large = (a: number) => a > 7",
        "export const unused = (a: number) => a > 7",
        "export const far = (a: number) => a > 7",
        "",
      ].join("\n"),
    )
    write(
      "src/sign.test.ts",
      [
        'import { expect, test } from "vitest"',
        'import { both, large, not } from "./sign.ts"',
        'test("signs", () => {',
        "  expect([both(true, true), both(true, false), not(true)]).toEqual([true, false, false])",
        "  expect([large(3), large(9)]).toEqual([false, true])",
        "})",
        "",
      ].join("\n"),
    )
    fs.mkdirSync(path.join(folder, "test/all"), { recursive: true })
    write(
      "test/all/far.test.ts",
      [
        'import { expect, test } from "vitest"',
        'import { far } from "../../src/sign.ts"',
        'test("far", () => expect([far(7), far(8)]).toEqual([false, true]))',
        "",
      ].join("\n"),
    )
    results = await findFaults({
      root: folder,
      folders: { all: ["src"] },
      count: 20,
      seed: 1,
      workers: 1,
      folder,
      swept: path.join(folder, "swept.json"),
      until: Number.POSITIVE_INFINITY,
    })
  }, 120_000)
  test("finds what its test asks about, does not find the rest, and says what no test comes to", () => {
    const known: Readonly<Record<string, Result["came"]>> = {
      "1 without the second": "found",
      "1 without the first": "not found",
      "2 not negated": "found",
      "3 >= for >": "not found",
      "3 another number": "found",
      "4 >= for >": "unreached",
      "4 another number": "unreached",
      "5 >= for >": "found",
      "5 another number": "found",
    }
    const came = results.map(({ line, kind, came }) => [`${line} ${kind}`, came])
    expect(came.length).toBe(5)
    for (const [fault, how] of came) expect([fault, how]).toEqual([fault, known[fault!]])
  })
  test("tries the tests beside the source first, and any other where they find nothing", () => {
    const found = results.flatMap(({ line, came, by }) =>
      came === "found" ? [[line, by!.replace(/:.*/, "")]] : [],
    )
    expect(found.filter(([line]) => line === 5)).toEqual([[5, "test/all/far.test.ts"]])
    expect(found.filter(([line]) => line !== 5).every(([, by]) => by === "src/sign.test.ts")).toBe(true)
  })
  test("and its table counts them", () => {
    const found = results.filter(({ came }) => came === "found").length
    expect(report(results, 1)).toContain(`| all | ${results.length} | ${found} | ${results.length - found} |`)
    expect(isDone(results)).toBe(false)
    expect(isDone(results.map((result) => ({ ...result, came: "found" as const })))).toBe(true)
    expect(isDone(results.map((result) => ({ ...result, came: "not run" as const })))).toBe(false)
  })
})
