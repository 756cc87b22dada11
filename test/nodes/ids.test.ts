import fc from "fast-check"
import { expect, test } from "vitest"
import { rounds } from "../rounds.ts"
import { lineOf, nodesIn, samples, textIn } from "./node-kit.ts"

const files = Object.keys(samples)

/** Ids with what they stand for. */
const idsIn = async (file: string, text: string): Promise<readonly string[]> =>
  (await nodesIn(file, text)).nodes.map(({ id, type, fullName }) => `${id} ${type} ${fullName}`)

test.each(Object.entries(samples))("%s: the text of a node is the slice of the file", async (file, text) => {
  const { nodes } = await nodesIn(file, text)
  for (const node of nodes.slice(1)) {
    const part = textIn(text, node)
    expect(text).toContain(part)
    expect(part).toContain(node.name)
    const before = Buffer.from(text).toString("utf8", 0, node.startByte)
    expect([node.startLine, node.endLine]).toEqual([
      before.split("\n").length,
      (before + part).split("\n").length,
    ])
  }
})

test.each(files)("%s: ids are distinct", async (file) => {
  const ids = (await nodesIn(file, samples[file]!)).nodes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true)
})

test("code above, and characters of several bytes in it, change no id and no text", async () => {
  const above = fc.array(fc.constantFrom("\n", "\r\n", "é", "漢", "😀", " ", "x", "\u{feff}"), {
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), above, async (file, characters) => {
      const mark = file.endsWith(".py") ? "#" : "//"
      const comment = characters.join("").replaceAll(/\r?\n/g, (end) => `${end}${mark}`)
      const start = file === "a.go" ? "" : `${mark}${comment}\n`
      const text = `${start}${samples[file]}`
      const [before, after] = [await nodesIn(file, samples[file]!), await nodesIn(file, text)]
      expect(after.nodes.map(({ id }) => id)).toEqual(before.nodes.map(({ id }) => id))
      expect(after.nodes.slice(1).map((node) => textIn(text, node))).toEqual(
        before.nodes.slice(1).map((node) => textIn(samples[file]!, node)),
      )
      expect(after.nodes.slice(1).map(({ textHash }) => textHash)).toEqual(
        before.nodes.slice(1).map(({ textHash }) => textHash),
      )
    }),
    { numRuns: rounds(300) },
  )
})

test("a text of any characters gives nodes whose bytes are within the file", async () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values(samples)),
      fc.string({ unit: "binary" }),
      fc.constantFrom("{", "}", "\0", "'"),
    ),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), pieces, async (file, parts) => {
      const text = parts.join("\n").toWellFormed()
      const size = Buffer.byteLength(text)
      const { nodes, diagnostics } = await nodesIn(file, text)
      expect(nodes[0]).toMatchObject({ type: "file", startByte: 0, endByte: size })
      for (const { startByte, endByte, startLine, endLine } of nodes) {
        expect(startByte <= endByte && endByte <= size).toBe(true)
        expect(1 <= startLine && startLine <= endLine).toBe(true)
      }
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length)
      for (const { range } of diagnostics) expect(range.start.line).toBeGreaterThanOrEqual(1)
    }),
    { numRuns: rounds(300) },
  )
})

test.each<[file: string, before: string, after: string]>([
  [
    "a.py",
    "class A:\n  def f(self, a, b): return a\n  def f(self, c): pass",
    "class A:\n\n    def f(\n        self,\n        a,\n        b,\n    ):\n        return a\n\n    def f(self, c):\n        pass\n",
  ],
  [
    "a.py",
    "@o('x')\ndef f(a='y'): pass\n@o('z')\ndef f(): pass",
    '@o("x")\ndef f(a="y"):\n    pass\n\n\n@o("z")\ndef f():\n    pass\n',
  ],
  [
    "a.ts",
    "class A { f(a: string): void; f(a: number): void; f(a: any) { return a } }",
    "class A {\n\tf(a: string): void\n\tf(\n\t\ta: number,\n\t): void\n\tf(a: any) {\n\t\treturn a\n\t}\n}\n",
  ],
  [
    "a.ts",
    "const f = x => x\nconst f = (x, y) => y",
    "const f = (x) => x;\nconst f = (\n  x,\n  y,\n) => y;\n",
  ],
  [
    "a.go",
    "package a\nfunc (a A) M(){}\nfunc (a A) M(b int,c int){}",
    "package a\n\nfunc (a A) M() {}\n\nfunc (a A) M(\n\tb int,\n\tc int,\n) {\n}\n",
  ],
  [
    "a.rs",
    "impl X for A{fn m(&self){}}\nimpl Y for A{fn m(&self){}}",
    "impl X for A {\n    fn m(&self) {}\n}\n\nimpl Y for A {\n    fn m(&self) {}\n}\n",
  ],
  [
    "a.java",
    "class A{void m(int a){}void m(int a,int b){}}",
    "class A {\n  void m(int a) {\n  }\n\n  void m(\n      int a, int b) {\n  }\n}\n",
  ],
  ["a.cpp", "void f(int a){}\nvoid f(int*a){}", "void f(int a) {\n}\nvoid f(int *a) {\n}\n"],
  ["a.c", "int f(int a,int b){return a;}", "int\nf(int a, int b)\n{\n\treturn (a);\n}\n"],
])("%s: formatting %j changes no id", async (file, before, after) => {
  const ids = await idsIn(file, before)
  expect(await idsIn(file, after)).toEqual(ids)
  expect(await idsIn(file, after.replaceAll("\n", "\r\n"))).toEqual(ids)
  expect(new Set(ids.map((id) => id.slice(0, 16))).size).toBe(ids.length)
})

test("methods with one name in several classes, and overloads that move, keep their ids", async () => {
  const [one, other, third] = ["  m(a: string): void", "  m(a: number): void", "  m(a: unknown) {}"]
  const inOrder = (...lines: readonly string[]) =>
    ["class A { m() {} }", "class B {", ...lines, "}"].join("\n")
  const byText = async (text: string) =>
    new Map((await nodesIn("a.ts", text)).nodes.slice(1).map((node) => [textIn(text, node), node.id]))
  const before = await byText(inOrder(one!, other!, third!))
  const after = await byText(inOrder(other!, third!, one!))
  for (const line of [one, other, third]) expect(after.get(line!.trim())).toBe(before.get(line!.trim()))
  expect(after.get("m() {}")).toBe(before.get("m() {}"))
})

test("an id depends on path, type and full name", async () => {
  const id = async (file: string, text: string) => (await nodesIn(file, text)).nodes.at(-1)!.id
  const ids = [
    await id("a.py", "def f(): pass"),
    await id("b/a.py", "def f(): pass"),
    await id("a.py", "class f: pass"),
    await id("a.py", "def g(): pass"),
    await id("a.py", "def h():\n  def f(): pass"),
  ]
  expect(new Set(ids).size).toBe(ids.length)
  expect(await id("a.py", "def f(a, b):\n  return a + b")).toBe(ids[0])
})

test("lines are the same with either line break, also behind a byte order mark", async () => {
  const text = "\u{feff}class A:\n\n  def m(self):\n\tpass\n"
  const [unix, dos] = [await nodesIn("a.py", text), await nodesIn("a.py", text.replaceAll("\n", "\r\n"))]
  expect(unix.nodes.map(lineOf)).toEqual(["file a 1-4", "class A 1-4", "method A.m 3-4"])
  expect(dos.nodes.map(lineOf)).toEqual(unix.nodes.map(lineOf))
  expect(textIn(text, unix.nodes[1]!)).toBe("class A:\n\n  def m(self):\n\tpass")
})
