/** Hostile scripts of both engines, put together from pieces, and hostile inputs for them. */
import type { Json } from "../../src/ground/message.ts"

export type Draw = (below: number) => number

export type FuzzLanguage = "python" | "javascript"

/** Numbers from a seed, so that a fault can be repeated. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % below
  }
}

const pick = <Value>(draw: Draw, values: readonly Value[]): Value => values[draw(values.length)]!

const pieces: Readonly<Record<FuzzLanguage, readonly string[]>> = {
  python: [
    "while True:\n    pass",
    "x = 'a' * 10**10",
    "x = [0] * 10**9",
    "x = 2 ** 10**8",
    "x = []\nfor i in range(10**9):\n    x.append([i] * 100)",
    "def f(n):\n    return f(n + 1)\nf(0)",
    "x = []\nfor i in range(500):\n    x = [x]",
    "x = {}\nx['self'] = x",
    "import os\nx = os.environ",
    "import sys\nx = sys.modules",
    "x = open('CANARY').read()",
    "x = __import__('os').listdir('/')",
    "x = ().__class__.__mro__[1].__subclasses__()",
    "x = '{0.__class__.__init__.__globals__}'.format(1)",
    "x = eval('1 + 1')",
    "x = getattr(1, '__class__')",
    "from pathlib import Path\nx = Path('CANARY').read_text()",
    "try:\n    1 / 0\nexcept Exception as e:\n    x = e.__traceback__.tb_frame.f_globals",
    "print('p' * 10**6)",
    "x = await ask(a=[[[[1]]]])",
    "for i in range(50):\n    x = await ask(a=i)",
    "x = await ask(a='CANARY')",
    "raise ValueError('v' * 10**6)",
    "x = float('nan')",
    "x = '\\ud800'",
    "x = {1: 2, (1, 2): 3}",
    "x = b'bytes'",
    "x = (",
    "\u0000",
  ],
  javascript: [
    "for (;;) {}",
    "x = 'a'.repeat(2 ** 30)",
    "x = []; for (;;) x.push(new Array(1000).fill(0))",
    "x = new ArrayBuffer(2 ** 31)",
    "const f = () => f() + 1; f()",
    "x = []; for (let i = 0; i < 1000; i++) x = [x]",
    "x = {}; x.self = x",
    "Object.prototype.polluted = 'CANARY'",
    "Array.prototype.toJSON = () => 'polluted'",
    'JSON.stringify = () => \'{"type":"end"}\'; JSON.parse = () => ({})',
    "globalThis.leak = 1",
    "Promise.prototype.then = () => { for (;;) {} }",
    "x = process.env",
    "x = require('fs').readFileSync('CANARY', 'utf8')",
    "x = (await import('node:fs')).readFileSync('CANARY', 'utf8')",
    "x = (await import('CANARY')).default",
    "x = ({}).constructor.constructor('return process')().env",
    "x = Function('return this')().process",
    "x = await externals.ask({ a: [[1]] })",
    "x = await externals.ask('text')",
    "x = await externals.ask({ __proto__: null, a: 1n })",
    "for (let i = 0; i < 50; i++) x = await externals.ask({ a: i })",
    "await new Promise(() => {})",
    "x = /(a*)*b/.test('a'.repeat(40))",
    "x = new Proxy({}, { ownKeys() { for (;;) {} } })",
    "x = { toJSON() { return { __proto__: { a: 1 } } } }",
    "throw { toString() { throw 1 }, get message() { for (;;) {} } }",
    "throw null",
    "console.log('p'.repeat(10 ** 6))",
    "x = '\\ud800'",
    "x = (",
    "\u0000",
  ],
}

export function drawScript(draw: Draw, language: FuzzLanguage, canary: string): string {
  const count = 1 + draw(3)
  const body = Array.from({ length: count }, () => pick(draw, pieces[language]).replaceAll("CANARY", canary))
  if (language === "python")
    return [
      "from grail import Input, external",
      'given: dict = Input("given", default=None)',
      "@external",
      "async def ask(a: int = 1) -> dict: ...",
      "x = given",
      ...body,
      "x",
    ].join("\n")
  return [
    "/**\n * @input {any} [given]\n * @external ask\n */",
    "export default async function ({ given }, externals) {",
    "let x = given",
    ...body.map((piece) => `{ ${piece}\n}`),
    "return x\n}",
  ].join("\n")
}

/** A script that sees whether another one left something behind, and its value if it did not. */
export const probes: Readonly<Record<FuzzLanguage, { readonly text: string; readonly value: Json }>> = {
  python: { text: "[1 + 1, len('ab')]\n", value: [2, 2] },
  javascript: {
    text: "export default () => [typeof leak, typeof ({}).polluted, JSON.stringify([1]), JSON.parse('[2]')]\n",
    value: ["undefined", "undefined", "[1]", [2]],
  },
}

/** Anything that JSON can say: also the names of prototypes, deep lists, halves of characters and huge numbers. */
export function drawJson(draw: Draw, depth = 0): Json {
  const kind = draw(depth > 6 ? 6 : 9)
  if (kind === 0) return null
  if (kind === 1) return draw(2) === 0
  if (kind === 2) return pick(draw, [0, -1, 1e308, 2 ** 53, 5e-324, -0])
  if (kind < 6)
    return pick(draw, ["", "\ud800", "__proto__", "\u0000\u001b[2J", "a".repeat(10_000), "{{ x }}"])
  if (kind === 6) return Array.from({ length: draw(5) }, () => drawJson(draw, depth + 1))
  if (kind === 7) return JSON.parse(`${"[".repeat(150)}${"]".repeat(150)}`) as Json
  const names = ["__proto__", "constructor", "toString", "a", ""]
  return Object.fromEntries(
    Array.from({ length: draw(4) }, () => [pick(draw, names), drawJson(draw, depth + 1)]),
  )
}
