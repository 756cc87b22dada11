import { expect, test } from "vitest"
import { grammarLanguages } from "../../src/world/nodes/languages.ts"
import { nodesIn, outline, samples } from "./node-kit.ts"

type Row = readonly [title: string, code: string, expected: readonly string[]]

const tables: Readonly<Record<string, readonly Row[]>> = {
  "src/x.py": [
    ["a function", "def f(): pass", ["function f 1-1"]],
    ["an async function", "async def f():\n    pass", ["function f 1-2"]],
    ["a method", "class A:\n    def m(self): pass", ["class A 1-2", "method A.m 2-2"]],
    [
      "a nested class",
      "class A:\n  class B:\n    def m(self): pass",
      ["class A 1-3", "class A.B 2-3", "method A.B.m 3-3"],
    ],
    [
      "a function in a function",
      "def f():\n  def g(): pass\n  return g",
      ["function f 1-3", "function f.g 2-2"],
    ],
    [
      "a function in a method",
      "class A:\n  def m(self):\n    def g(): pass",
      ["class A 1-3", "method A.m 2-3", "method A.m.g 3-3"],
    ],
    [
      "a class in a function",
      "def f():\n  class A:\n    def m(self): pass",
      ["function f 1-3", "class f.A 2-3", "method f.A.m 3-3"],
    ],
    [
      "decorators",
      "@a\n@b(1)\nclass A:\n  @property\n  def m(self): pass",
      ["class A 1-5", "method A.m 4-5"],
    ],
    [
      "overloads",
      "@overload\ndef f(a: int): ...\n@overload\ndef f(a: str): ...\ndef f(a): pass",
      ["function f 1-2", "function f 3-4", "function f 5-5"],
    ],
    ["a generic function", "def f[T](a: T) -> T:\n\treturn a", ["function f 1-2"]],
    ["a lambda has no name", "f = lambda: 1", []],
    ["an empty file", "", []],
    [
      "a function behind a condition",
      "if x:\n    def f(): pass\nelse:\n    def f(): pass",
      ["function f 2-2", "function f 4-4"],
    ],
  ],
  "src/x.ts": [
    ["a function", "function f() {}", ["function f 1-1"]],
    [
      "a generic function",
      "export function f<T extends object>(a: T): T {\n  return a\n}",
      ["function f 1-3"],
    ],
    [
      "overloads",
      "function f(a: string): void\nfunction f(a: number): void\nfunction f(a: unknown) {}",
      ["function f 1-1", "function f 2-2", "function f 3-3"],
    ],
    ["a generator", "async function* f() {}", ["function f 1-1"]],
    ["an arrow function", "export const f = async (a: string) => a", ["function f 1-1"]],
    [
      "two arrow functions in one declaration",
      "const f = () => 1,\n  g = () => 2",
      ["function f 1-1", "function g 2-2"],
    ],
    [
      "an arrow function in a function",
      "function f() {\n  const g = () => 1\n  return g\n}",
      ["function f 1-4", "function f.g 2-2"],
    ],
    ["a constant is no function", "const a = 1\nconst b = f(() => 1)", []],
    [
      "a class",
      "@dec()\nexport abstract class A<T> extends B<T> implements C {\n  constructor() { super() }\n  get a() { return 1 }\n  set a(v) {}\n  abstract m(): void\n  static f = () => 1\n  #p() {}\n}",
      [
        "class A 1-9",
        "method A.constructor 3-3",
        "method A.a 4-4",
        "method A.a 5-5",
        "method A.m 6-6",
        "method A.f 7-7",
        "method A.#p 8-8",
      ],
    ],
    [
      "overloaded methods",
      "class A {\n  m(a: string): void\n  m(a: number): void\n  m(a: unknown) {}\n}",
      ["class A 1-5", "method A.m 2-2", "method A.m 3-3", "method A.m 4-4"],
    ],
    [
      "an interface",
      "export interface I {\n  m(a: string): void\n  a: () => void\n}",
      ["class I 1-4", "method I.m 2-2"],
    ],
    ["an enum", "const enum E { A }", ["class E 1-1"]],
    [
      "a namespace",
      "namespace N.M {\n  export function f() {}\n  class A { m() {} }\n}",
      ["function N.M.f 2-2", "class N.M.A 3-3", "method N.M.A.m 3-3"],
    ],
    ["a class in an expression", "export const A = class B { m() {} }", ["class A 1-1", "method A.m 1-1"]],
    [
      "an object",
      "const o = {\n  m() {},\n  'a-b': () => 1,\n  f: function () {},\n} as const",
      ["function o.m 2-2", "function o.a-b 3-3", "function o.f 4-4"],
    ],
    ["default exports", "export default function () {}", ["function default 1-1"]],
    ["a default class", "export default class {\n  m() {}\n}", ["class default 1-3", "method default.m 2-2"]],
    [
      "a computed name",
      "class A { [Symbol.iterator]() {} }",
      ["class A 1-1", "method A.[Symbol.iterator] 1-1"],
    ],
    ["a declared function", "declare function f(a: string): void", ["function f 1-1"]],
  ],
  "src/x.tsx": [
    ["a component", "export const View = ({ a }: { a: string }) => <b>{a}</b>", ["function View 1-1"]],
    [
      "a component with a callback",
      "function View() {\n  const click = () => 1\n  return <b onClick={() => click()} />\n}",
      ["function View 1-4", "function View.click 2-2"],
    ],
    [
      "a class component",
      "class View extends Base<{}> { render() { return <b /> } }",
      ["class View 1-1", "method View.render 1-1"],
    ],
  ],
  "src/x.jsx": [["a component", "const View = () => <b />", ["function View 1-1"]]],
  "src/x.js": [
    ["a function", "function f() {}", ["function f 1-1"]],
    ["an old function expression", "var f = function () {}", ["function f 1-1"]],
    [
      "exports of CommonJS",
      "exports.a = function () {}\nmodule.exports.b = () => 1",
      ["function a 1-1", "function b 2-2"],
    ],
    ["the export of CommonJS", "module.exports = function () {}", ["function default 1-1"]],
    ["a method of a prototype", "A.prototype.m = function () {}", ["method A.m 1-1"]],
    [
      "a class",
      "class A {\n  static async *m() {}\n  f = () => 1\n  #p = function () {}\n}",
      ["class A 1-5", "method A.m 2-2", "method A.f 3-3", "method A.#p 4-4"],
    ],
    ["an object", "const o = { m() {}, get a() { return 1 } }", ["function o.m 1-1", "function o.a 1-1"]],
  ],
  "src/x.go": [
    ["a function", "package a\nfunc f() {}", ["function f 2-2"]],
    ["a generic function", "package a\nfunc F[T any](a T) T { return a }", ["function F 2-2"]],
    [
      "receivers",
      "package a\ntype A struct{}\nfunc (a A) M() {}\nfunc (a *A) N() {}\nfunc (A) O() {}",
      ["class A 2-2", "method A.M 3-3", "method A.N 4-4", "method A.O 5-5"],
    ],
    [
      "receivers of generic types",
      "package a\ntype G[T any] struct{ t T }\nfunc (g G[T]) M() {}\nfunc (g *G[_]) N() {}",
      ["class G 2-2", "method G.M 3-3", "method G.N 4-4"],
    ],
    [
      "an interface",
      "package a\ntype I interface {\n\tM(a int) error\n\tfmt.Stringer\n}",
      ["class I 2-5", "method I.M 3-3"],
    ],
    [
      "a group of types",
      "package a\ntype (\n\tA int\n\tB = A\n\tC struct {\n\t\tx int\n\t}\n)",
      ["class A 3-3", "class C 5-7"],
    ],
    ["a function literal has no name", "package a\nvar f = func() {}", []],
  ],
  "src/x.rs": [
    ["a function", "pub async fn f<'a, T: Clone>(x: &'a T) -> T {\n  x.clone()\n}", ["function f 1-3"]],
    [
      "types",
      "struct A;\nstruct B(u8);\nenum C { X }\nunion D { a: u8 }",
      ["class A 1-1", "class B 2-2", "class C 3-3", "class D 4-4"],
    ],
    [
      "an impl block",
      "struct A<T>(T);\nimpl<T> A<T> {\n  pub fn new(t: T) -> Self { A(t) }\n}",
      ["class A 1-1", "method A.new 3-3"],
    ],
    [
      "a trait",
      "trait T {\n  fn a(&self);\n  fn b(&self) {}\n}",
      ["class T 1-4", "method T.a 2-2", "method T.b 3-3"],
    ],
    [
      "the impl of a trait",
      "impl std::fmt::Display for crate::A<u8> {\n  fn fmt(&self) {}\n}",
      ["method A.fmt 2-2"],
    ],
    [
      "two traits with one method",
      "impl X for A { fn m(&self) {} }\nimpl Y for A { fn m(&self) {} }",
      ["method A.m 1-1", "method A.m 2-2"],
    ],
    ["the impl for a reference", "impl T for &'a mut Str { fn m(&self) {} }", ["method Str.m 1-1"]],
    ["modules", "mod a {\n  mod b {\n    fn f() {}\n  }\n}", ["function a.b.f 3-3"]],
    ["a function in a function", "fn f() {\n  fn g() {}\n}", ["function f 1-3", "function f.g 2-2"]],
  ],
  "src/x.java": [
    [
      "a class",
      "public final class A<T> extends B {\n  A() {}\n  @Override\n  public <U> U m(U u) { return u; }\n}",
      ["class A 1-5", "method A.A 2-2", "method A.m 3-4"],
    ],
    [
      "overloads",
      "class A {\n  void m(int a) {}\n  void m(String a) {}\n}",
      ["class A 1-4", "method A.m 2-2", "method A.m 3-3"],
    ],
    [
      "inner classes",
      "class A {\n  static class B { void m() {} }\n  class C { class D { void m() {} } }\n}",
      [
        "class A 1-4",
        "class A.B 2-2",
        "method A.B.m 2-2",
        "class A.C 3-3",
        "class A.C.D 3-3",
        "method A.C.D.m 3-3",
      ],
    ],
    [
      "an interface",
      "interface I {\n  void a();\n  default void b() {}\n}",
      ["class I 1-4", "method I.a 2-2", "method I.b 3-3"],
    ],
    [
      "an enum",
      "enum E {\n  X { void m() {} },\n  Y;\n  void m() {}\n}",
      ["class E 1-5", "method E.X.m 2-2", "method E.m 4-4"],
    ],
    [
      "a record",
      "record R(int a) {\n  R { }\n  int b() { return a; }\n}",
      ["class R 1-4", "method R.R 2-2", "method R.b 3-3"],
    ],
    [
      "an annotation",
      '@interface An { String value() default ""; }',
      ["class An 1-1", "method An.value 1-1"],
    ],
    [
      "an anonymous class",
      "class A {\n  Runnable r = new Runnable() { public void run() {} };\n}",
      ["class A 1-3", "method A.run 2-2"],
    ],
  ],
  "src/x.cpp": [
    ["a function", "static inline int &f() { static int i; return i; }", ["function f 1-1"]],
    [
      "functions that return pointers",
      "int *a() { return 0; }\nchar **b() { return 0; }\nint (*c(int x))(int) { return 0; }",
      ["function a 1-1", "function b 2-2", "function c 3-3"],
    ],
    ["a declaration is no definition", "void f(int);\nstruct S;", []],
    [
      "a class",
      "class A : public B {\npublic:\n  A() : B() {}\n  ~A() {}\n  void m();\n  A &operator=(const A &o) { return *this; }\n  explicit operator bool() const { return true; }\n  bool operator()(int x) { return x; }\n};",
      [
        "class A 1-9",
        "method A.A 3-3",
        "method A.~A 4-4",
        "method A.operator= 6-6",
        "method A.operator bool 7-7",
        "method A.operator() 8-8",
      ],
    ],
    [
      "methods out of line",
      "class A { void m(); A(); ~A(); };\nvoid A::m() {}\nA::A() {}\nA::~A() {}",
      ["class A 1-1", "method A.m 2-2", "method A.A 3-3", "method A.~A 4-4"],
    ],
    [
      "namespaces",
      "namespace a::b {\nclass C { void m(); };\nvoid f() {}\n}\nvoid a::b::C::m() {}",
      ["class a.b.C 2-2", "function a.b.f 3-3", "method a.b.C.m 5-5"],
    ],
    [
      "a function of a namespace, out of line",
      "namespace a { void f(); }\nvoid a::f() {}",
      ["function a.f 2-2"],
    ],
    ["an unnamed namespace", "namespace { int f() { return 1; } }", ["function f 1-1"]],
    [
      "templates",
      "template <typename T>\nclass A { T m(); };\ntemplate <typename T>\nT A<T>::m() { return T(); }\ntemplate <class T> T *f(T *t) { return t; }",
      ["class A 1-2", "method A.m 3-4", "function f 5-5"],
    ],
    [
      "nested types",
      "struct A {\n  struct B { void m() {} };\n  enum class E { X };\n  union U { int a; };\n};",
      ["class A 1-5", "class A.B 2-2", "method A.B.m 2-2", "class A.E 3-3", "class A.U 4-4"],
    ],
    ["a type without a name", "typedef struct { int a; } T;", ["class T 1-1"]],
    ["extern C", 'extern "C" { void f() {} }', ["function f 1-1"]],
  ],
  "src/x.c": [
    ["a function", "static int *f(int a)\n{\n\treturn 0;\n}", ["function f 1-4"]],
    [
      "types",
      "struct A { int x; };\nunion B { int x; };\nenum C { X };\ntypedef struct { int x; } D;",
      ["class A 1-1", "class B 2-2", "class C 3-3", "class D 4-4"],
    ],
    ["an old definition", "int f(a) int a; { return a; }", ["function f 1-1"]],
    ["a word that only C++ reserves", "int f(int class) { return class; }", ["function f 1-1"]],
    ["a prototype is no definition", "void f(int);", []],
  ],
  "src/x.h": [
    [
      "a header of C",
      "struct A { int x; };\nstatic inline int f(void) { return 1; }",
      ["class A 1-1", "function f 2-2"],
    ],
    [
      "a header of C++",
      "namespace n {\nclass A {\n public:\n  void m() {}\n};\n}",
      ["class n.A 2-5", "method n.A.m 4-4"],
    ],
  ],
  "src/x.rb": [["a language without a grammar", "def f\nend", []]],
}

for (const [file, rows] of Object.entries(tables))
  test.each(rows)(`${file}: %s`, async (_, code, expected) => {
    expect(await outline(file, code)).toEqual(expected)
    expect(await outline(file, code.replaceAll("\n", "\r\n"))).toEqual(expected)
  })

test("every language with a grammar has a table and a sample", async () => {
  const files = [...Object.keys(tables), ...Object.keys(samples)]
  const found = await Promise.all(files.map(async (file) => (await nodesIn(file, "")).nodes[0]!.language))
  expect(grammarLanguages.filter(({ name }) => !found.includes(name))).toEqual([])
})

test.each(Object.entries(samples))("%s is one file node besides its parts", async (file, text) => {
  const { nodes, diagnostics } = await nodesIn(`src/${file}`, text)
  expect(diagnostics).toEqual([])
  expect(nodes.filter(({ type }) => type === "file")).toMatchObject([
    {
      name: "a",
      fullName: "a",
      file: `src/${file}`,
      startLine: 1,
      endLine: text.trimEnd().split("\n").length,
      startByte: 0,
      endByte: Buffer.byteLength(text),
    },
  ])
})
