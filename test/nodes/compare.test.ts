import { expect, test } from "vitest"
import { compareNodes } from "../../src/world/nodes/compare.ts"
import type { CodeNode } from "../../src/world/nodes/node.ts"
import { nodesIn } from "./node-kit.ts"

type Files = Readonly<Record<string, string>>

async function nodesOf(files: Files): Promise<readonly CodeNode[]> {
  const all = await Promise.all(Object.entries(files).map(([file, text]) => nodesIn(file, text)))
  return all.flatMap(({ nodes }) => nodes)
}

/** The changes of everything but whole files. */
async function changes(before: Files, after: Files): Promise<readonly string[]> {
  return compareNodes(await nodesOf(before), await nodesOf(after)).flatMap((change) => {
    const node = change.type === "removed" ? change.before : change.node
    if (node.type === "file") return []
    const was = "before" in change && change.type !== "removed" && change.before.fullName !== node.fullName
    return `${change.type} ${node.fullName}${was ? ` was ${change.before.fullName}` : ""}`
  })
}

test.each<[title: string, before: string, after: string, expected: readonly string[]]>([
  ["nothing", "def f(): pass", "def f(): pass", []],
  ["code that moved", "def f(): pass\ndef g(): 1", "\n\ndef g(): 1\ndef f(): pass", []],
  ["a changed body", "def f(): 1", "def f(): 2", ["changed f"]],
  ["a changed signature", "def f(): 1", "def f(a): 1", ["changed f"]],
  ["brackets that change the result", "def f(): (1 + 2) * 3", "def f(): 1 + 2 * 3", ["changed f"]],
  [
    "indentation that changes the result",
    "def f():\n  if a:\n    b()\n    c()",
    "def f():\n  if a:\n    b()\n  c()",
    ["changed f"],
  ],
  ["a new function", "", "def f(): 1", ["added f"]],
  ["a function that is gone", "def f(): 1", "", ["removed f"]],
  ["a new name", "def f(): return 1", "def g(): return 1", ["renamed g was f"]],
  ["a new name for what calls itself", "def f(): return f()", "def g(): return g()", ["renamed g was f"]],
  [
    "a new name that the body has for something else",
    "def f(): return g",
    "def g(): return g",
    ["renamed g was f"],
  ],
  ["a new name and another body", "def f(): return 1", "def g(): return 2", ["added g", "removed f"]],
  [
    "two new names with one body",
    "def a(): pass\ndef b(): pass",
    "def c(): pass\ndef d(): pass",
    ["renamed c was a", "renamed d was b"],
  ],
  [
    "a new name for a class",
    "class A:\n  def m(self): return 1",
    "class B:\n  def m(self): return 1",
    ["renamed B was A", "renamed B.m was A.m"],
  ],
  [
    "a new name beside a change",
    "class A:\n  def a(self): return 1\n  def b(self): return 2",
    "class A:\n  def c(self): return 1\n  def b(self): return 3",
    ["changed A", "renamed A.c was A.a", "changed A.b"],
  ],
  [
    "equal overloads that changed places",
    "def f(): 1\ndef f(): 2",
    "def f(): 2\ndef f(): 1",
    ["swapped f", "swapped f"],
  ],
  [
    "an overload that came before its equal",
    "def f(): 1\ndef f(): 2",
    "def f(): 0\ndef f(): 1\ndef f(): 2",
    ["added f", "swapped f", "swapped f"],
  ],
  ["a second overload", "def f(a): 1", "def f(a): 1\ndef f(a, b): 2", ["swapped f", "added f"]],
])("%s", async (_, before, after, expected) => {
  expect(await changes({ "a.py": before }, { "a.py": after })).toEqual(expected)
})

test("code in another file is renamed only under its own name", async () => {
  expect(await changes({ "a.py": "def f(): pass" }, { "b.py": "def f(): pass" })).toEqual(["renamed f"])
  expect(await changes({ "a.py": "def f(): pass" }, { "b.py": "def g(): pass" })).toEqual([
    "added g",
    "removed f",
  ])
})

test("a file with the same text under another name is renamed, with its nodes", async () => {
  const [before, after] = [await nodesOf({ "a.py": "def f(): 1" }), await nodesOf({ "b.py": "def f(): 1" })]
  expect(compareNodes(before, after)).toEqual(
    after.map((node, index) => ({ type: "renamed", node, before: before[index] })),
  )
})

test("a look compared with itself has no changes", async () => {
  const nodes = await nodesOf({ "a.ts": "class A { m(): void; m(a: 1): void; m(a?: 1) {} m(a?: 1) {} }" })
  expect(compareNodes(nodes, nodes)).toEqual([])
})
