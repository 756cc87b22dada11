import type { Form, Kind } from "./form.ts"
import type { Maker } from "./make.ts"

/** How a value is written, behind a colon. */
export const spec = (maker: Maker): string =>
  [
    maker.chance(0.3) ? maker.one(["<", ">", "^", "=", "*<", "0>", "é^", " =", "<<"]) : "",
    maker.chance(0.2) ? maker.one(["+", "-", " "]) : "",
    maker.chance(0.1) ? "#" : "",
    maker.chance(0.15) ? "0" : "",
    maker.chance(0.4) ? maker.one(["1", "5", "12", "{n1}", "{len(s1)}"]) : "",
    maker.chance(0.15) ? maker.one([",", "_"]) : "",
    maker.chance(0.3) ? maker.one([".0", ".1", ".3", ".10", ".{n1}"]) : "",
    maker.chance(0.5)
      ? maker.one(["d", "f", "e", "g", "s", "x", "X", "b", "o", "%", "n", "c", "E", "G", "F"])
      : "",
  ].join("")

const field = (maker: Maker, size: number): string => {
  const kind = maker.one<Kind>(["int", "float", "text", "bool", "nothing", "ints", "dict", "tuple"])
  // Before 3.12, Python takes no backslash and no quote of the same kind between the braces.
  const bare = maker.make(kind, Math.min(size, 1)).replace(/\\.|"|\n|\{|\}|'''/gs, "")
  // It also takes a loop without parentheses there.
  const value = / for /.test(bare) ? `(${bare})` : bare
  // Python 3.12 and 3.13 cut what `=` shows at a "!".
  const text = maker.chance(0.1) && !value.includes("!") ? `${value}=` : value
  const conversion = maker.chance(0.2) ? maker.one(["!r", "!s", "!a"]) : ""
  const behind = kind === "int" || kind === "float" || kind === "text" || kind === "bool" || maker.chance(0.1)
  return `{ ${text}${conversion}${behind && maker.chance(0.6) ? `:${spec(maker)}` : ""}}`
}

export const formatString: Form = (maker, size) => {
  const part = () =>
    maker.chance(0.5) ? maker.one(["a", " ", "{{", "}}", "é", "x=", "%"]) : field(maker, size)
  const quote = maker.chance(0.2) ? '"""' : '"'
  return `${maker.one(["f", "F", "f", "rf"])}${quote}${part()}${part()}${maker.chance(0.5) ? part() : ""}${quote}`
}

export const percent: Form = (maker, size) => {
  const one = (maker: Maker): [string, Kind] =>
    maker.one<[string, Kind]>([
      ["%s", "text"],
      ["%d", "int"],
      ["%5.2f", "float"],
      ["%r", "text"],
      ["%x", "int"],
      ["%-4s", "text"],
      ["%03d", "int"],
      ["%+d", "int"],
      ["%e", "float"],
      ["%.1e", "float"],
      ["%i", "float"],
      ["%s", "ints"],
      ["%.2s", "text"],
    ])
  const [first, kind] = one(maker)
  if (maker.chance(0.5)) return `'${first}' % ${maker.make(kind, size)}`
  const [second, other] = one(maker)
  return `'${first}-${second}%%' % (${maker.make(kind, size)}, ${maker.make(other, size)})`
}
