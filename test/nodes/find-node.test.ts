import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { findNode } from "../../src/world/nodes/find-node.ts"
import { temporaryFolder } from "../file-kit.ts"
import { naming } from "../naming.ts"

const python = `def f(): return "ä"
class A:
  def m(self): return 1
class B:
  class A:
    def m(self): return 2
  def n(self): return 3
@overload
def g(a): ...
def g(a, b): ...
`
const root = temporaryFolder({
  "src/x.py": python,
  "src/x.cpp": "namespace n { class A { void m() {} }; }",
  "src/x.rb": "def f\nend\n",
  "README.md": "# Title\n",
  "binary.py": Buffer.from("\0"),
})
fs.symlinkSync(os(), path.join(root, "out"))

function os(): string {
  return temporaryFolder({ "x.py": "def f(): pass" })
}

test.each<[address: string, text: string]>([
  ["src/x.py", python],
  ["src/x.py::f", 'def f(): return "ä"'],
  ["./src/../src/x.py::f", 'def f(): return "ä"'],
  ["src/x.py::A.m", "def m(self): return 1"],
  ["src/x.py::B.A.m", "def m(self): return 2"],
  ["src/x.py::B::n", "def n(self): return 3"],
  ["src/x.py::n", "def n(self): return 3"],
  ["src/x.cpp::n::A::m", "void m() {}"],
  ["src/x.rb", "def f\nend\n"],
  ["README.md", "# Title\n"],
])("%s is found with its text", async (address, text) => {
  expect((await findNode(root, address)).text).toBe(text)
})

test("a node is plain data, and its id is an address, too", async () => {
  const node = await findNode(root, "src/x.py::A.m")
  expect(node).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    type: "method",
    name: "m",
    fullName: "A.m",
    language: "python",
    file: "src/x.py",
    startLine: 3,
    endLine: 3,
    startByte: python.indexOf("def m") + 1,
    endByte: python.indexOf("def m") + 1 + "def m(self): return 1".length,
    textHash: expect.any(String),
    bodyHash: expect.any(String),
    text: "def m(self): return 1",
  })
  expect(JSON.parse(JSON.stringify(node))).toEqual(node)
  expect(await findNode(root, `src/x.py::${node.id}`)).toEqual(node)
})

test("a relative path starts from the directory", async () => {
  const [one, other] = [
    await findNode(root, "src/x.py::f"),
    await findNode(root, "x.py::f", { directory: path.join(root, "src") }),
  ]
  expect(other).toEqual(one)
})

test.each<[address: string, code: string, ...names: string[]]>([
  ["src/x.py::nope", "NODE_UNKNOWN", "nope", "A.m", "B.A"],
  ["src/x.py::A.k", "NODE_UNKNOWN", '"A.m"'],
  ["src/x.py::m", "NODE_UNKNOWN", "2 nodes", "A.m, line 3", "B.A.m, line 6"],
  ["src/x.py::g", "NODE_UNKNOWN", "2 nodes", "line 8", "line 10"],
  ["src/x.py::", "NODE_UNKNOWN", "::"],
  ["src/x.rb::f", "NODE_UNKNOWN", "ruby"],
  ["src/gone.py::f", "DISC_004", "gone.py"],
  ["src", "DISC_004", "src"],
  ["binary.py::f", "DISC_004", "binary.py"],
  ["../x.py::f", "NODE_UNKNOWN", "../x.py"],
  ["out/x.py::f", "NODE_UNKNOWN", "out/x.py"],
  ["", "NODE_UNKNOWN"],
])("%j is refused with %s", async (address, code, ...names) => {
  await expect(findNode(root, address)).rejects.toMatchObject({ code, message: naming(...names) })
})

test("an overload is found by the id that the refusal lists", async () => {
  const message = await findNode(root, "src/x.py::g").catch((error: Error) => error.message)
  const ids = [...String(message).matchAll(/[0-9a-f]{16}/g)].map(([id]) => id)
  const texts = await Promise.all(ids.map(async (id) => (await findNode(root, `src/x.py::${id}`)).text))
  expect(texts).toEqual(["@overload\ndef g(a): ...", "def g(a, b): ..."])
})
