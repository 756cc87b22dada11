import {
  call,
  type Form,
  joined,
  type Kind,
  made,
  maybe,
  method,
  number,
  variable,
  whatever,
  written,
} from "./form.ts"
import { formatString, percent, spec } from "./text-forms.ts"

const small = written("0", "1", "2", "3", "-1", "-2", "n1", "None")
const quoted = written(
  "''",
  "'a'",
  '"b"',
  "'ab'",
  "'x y'",
  "'A'",
  "'é'",
  "'ß'",
  "'😀'",
  "'1'",
  "'\\n'",
  "'it\\'s'",
  "r'\\d'",
  "'''a'b'''",
  '"""x\ny"""',
  "'a' 'b'",
  "'%'",
  "u'z'",
  "'\\x41\\u00e9'",
  "'-'",
)

export const atoms: Readonly<Record<Kind, readonly Form[]>> = {
  bool: [written("True", "False"), variable],
  int: [
    written(
      "0",
      "1",
      "2",
      "3",
      "5",
      "7",
      "10",
      "100",
      "0x1F",
      "0b101",
      "0o17",
      "1_000",
      "12345678901234567890",
    ),
    variable,
    variable,
  ],
  float: [written("0.5", "1.0", "2.5", "1e3", ".5", "5.", "1e-7", "1e22", "0.1", "3.14159"), variable],
  text: [quoted, variable, variable],
  ints: [written("[]", "[1, 2, 3]", "[3, 1, 2]", "list(range(4))"), variable],
  texts: [written("[]", "['a', 'b']", "['b', 'A', '']"), variable],
  dict: [written("{}", "{'a': 1}", "{1: 'x', 'b': [1]}"), variable],
  set: [written("{1}", "{1, 2, 3}", "set()", "{'a', 'b'}", "{True, 2}"), variable],
  tuple: [written("()", "(1,)", "(1, 'a')", "('a', 'b')"), variable],
  nothing: [variable],
  iterator: [variable],
}

/** What comes to whatever its parts come to. */
export const ofAnyKind: readonly Form[] = [
  (maker, size, kind) =>
    `${maker.make(kind, size)} if ${maker.make("bool", size)} else ${maker.make(kind, size)}`,
  (maker, size, kind) => `${whatever(maker, size, kind)} and ${maker.make(kind, size)}`,
  (maker, size, kind) => `${maker.make(kind, size)} or ${maker.make(kind, size)}`,
  (maker, size, kind) =>
    `[${maker.make(kind, size)}, ${maker.make(kind, size)}][${maker.one(["0", "1", "-1", "n1", "t1"])}]`,
  (maker, size, kind) =>
    `next((${maker.loop(size, (inner) => inner.make(kind, size))}), ${maker.make(kind, size)})`,
  (maker, size, kind) => `{'a': ${maker.make(kind, size)}}${maker.one(["['a']", ".a", ".get('a')"])}`,
]

const orders = ["<", "<=", ">", ">="]
const equals = ["==", "!="]
const inside = ["in", "not in"]
const same = ["is", "is not"]

const chain: Form = (maker, size) => {
  const parts = [number(maker, size, "int"), number(maker, size, "int"), number(maker, size, "int")]
  const operator = () => maker.one([...orders, ...equals])
  return `${parts[0]} ${operator()} ${parts[1]} ${operator()} ${parts[2]}`
}

const mixedChain: Form = (maker, size) => {
  const operator = () => maker.one([...orders, ...equals, ...inside, ...same])
  const part = () => whatever(maker, size, "bool")
  return `${part()} ${operator()} ${part()} ${operator()} ${part()}`
}

export const larger: Readonly<Record<Kind, readonly Form[]>> = {
  bool: [
    chain,
    mixedChain,
    joined(number, [...orders, ...equals], number),
    joined("text", [...orders, ...equals], "text"),
    joined("ints", [...orders, ...equals], "ints"),
    joined("tuple", [...orders, ...equals], "tuple"),
    joined("set", [...orders, ...equals], "set"),
    joined("dict", equals, "dict"),
    joined(whatever, equals, whatever),
    joined(whatever, same, written("None", "True", "False", "z", "l1", "1", "'a'")),
    joined("text", inside, "text"),
    joined("int", inside, "ints"),
    joined("text", inside, "texts"),
    joined("text", inside, "dict"),
    joined("int", inside, "set"),
    joined(whatever, inside, whatever),
    (maker, size) => `not ${maker.make("bool", size)}`,
    joined("bool", ["and", "or"], "bool"),
    (maker, size) => `${maker.one(["any", "all"])}(${maker.loop(size, (inner) => inner.make("bool", size))})`,
    (maker, size) =>
      `${maker.one(["any", "all"])}(${maker.make(maker.one(["ints", "texts", "tuple"]), size)})`,
    call("bool", whatever),
    call(
      "isinstance",
      whatever,
      written("str", "int", "(int, str)", "list", "dict", "bool", "(float,)", "set", "tuple"),
    ),
    method("text", ["startswith", "endswith"], "text"),
    method("text", ["startswith", "endswith"], "text", small, small),
    method("text", ["startswith"], written("('a', 'b')", "()", "('', s1)")),
    method("text", [
      "isdigit",
      "isalpha",
      "isalnum",
      "isspace",
      "islower",
      "isupper",
      "istitle",
      "isnumeric",
      "isdecimal",
      "isascii",
    ]),
    method("set", ["issubset", "issuperset", "isdisjoint"], (maker, size) =>
      maker.make(maker.one<Kind>(["set", "ints", "texts"]), size),
    ),
  ],
  int: [
    joined("int", ["+", "-", "*", "//", "%"], "int"),
    joined("int", ["+", "-", "*", "//", "%"], "int"),
    joined("int", ["|", "&", "^"], "int"),
    joined("int", ["<<", ">>"], written("0", "1", "3", "n1", "64", "-1")),
    joined("int", ["**"], written("0", "1", "2", "3", "n1", "-1", "+2", "-n1", "~-3", "2 ** 2", "2 ** -1")),
    joined("bool", ["+", "-", "|", "&", "^"], "bool"),
    (maker, size) => `${maker.one(["-", "+", "~", "- ", "-+"])}${maker.make("int", size)}`,
    (maker, size) => `-${maker.make("int", size)} ** ${maker.one(["2", "n1", "0", "-1"])}`,
    call("len", (maker, size) =>
      maker.make(maker.one<Kind>(["text", "ints", "texts", "dict", "set", "tuple"]), size),
    ),
    call("int", (maker, size) => maker.make(maker.one<Kind>(["int", "float", "text", "bool"]), size)),
    call("int", written("'12'", "' 7 '", "'-3'", "'0x1f'", "'1_0'", "''", "'ff'"), written("10", "16", "2")),
    call("abs", number),
    call("round", "float"),
    call("round", "int", written("-1", "-2", "0", "1", "None")),
    call("sum", "ints"),
    call("sum", "ints", "int"),
    (maker, size) => `sum(${maker.loop(size, (inner) => inner.make("int", size))})`,
    (maker, size) =>
      `${maker.one(["min", "max"])}(${maker.make("ints", size)}${maker.one(["", ", default=0", ", key=abs", ", default=None, key=str"])})`,
    (maker, size) =>
      `${maker.one(["min", "max"])}(${maker.make("int", size)}, ${number(maker, size, "int")})`,
    method("text", ["find", "rfind", "count", "index", "rindex"], "text"),
    method("text", ["find", "rfind", "count", "index", "rindex"], "text", small, small),
    method("ints", ["index", "count"], "int"),
    method("tuple", ["index", "count"], whatever),
    call("ord", written("'a'", "'é'", "'😀'", "s1", "''")),
    (maker, size) =>
      `divmod(${number(maker, size, "int")}, ${number(maker, size, "int")})[${maker.one(["0", "1"])}]`,
    call("pow", "int", written("0", "2", "-1", "n1")),
    method("dict", ["get"], "text", "int"),
  ],
  float: [
    joined(number, ["+", "-", "*", "/", "//", "%"], "float"),
    joined("int", ["/"], "int"),
    joined("float", ["**"], written("0", "1", "2", "-1", "0.5", "3")),
    (maker, size) => `${maker.one(["-", "+"])}${maker.make("float", size)}`,
    call("float", (maker, size) => maker.make(maker.one<Kind>(["int", "float", "text", "bool"]), size)),
    call("float", written("'1e5'", "' 2.5 '", "'inf'", "'-inf'", "'1_0.5'", "'.5'", "'5.'", "'x'")),
    call("round", "float", written("0", "1", "2", "-1", "5")),
    call("abs", "float"),
    call("max", "float", number),
  ],
  text: [
    joined("text", ["+"], "text"),
    joined("text", ["*"], written("0", "1", "3", "n1", "-1", "True")),
    joined(written("2", "n1"), ["*"], "text"),
    formatString,
    formatString,
    percent,
    call("str", whatever),
    call("repr", whatever),
    call("format", number, (maker) => `'${spec(maker).replace(/\{.*?\}/g, "")}'`),
    method("text", [
      "lower",
      "upper",
      "strip",
      "lstrip",
      "rstrip",
      "title",
      "capitalize",
      "swapcase",
      "casefold",
    ]),
    method("text", ["strip", "lstrip", "rstrip", "removeprefix", "removesuffix"], "text"),
    method("text", ["replace"], "text", "text"),
    method("text", ["replace"], "text", "text", small),
    method("text", ["ljust", "rjust", "center"], written("0", "5", "8", "n1")),
    method("text", ["ljust", "rjust", "center"], written("5", "8"), written("'*'", "'é'", "'ab'")),
    method("text", ["zfill"], written("0", "4", "n1")),
    method("text", ["join"], "texts"),
    (maker, size) =>
      `${maker.make("text", size)}.join(${maker.loop(size, (inner) => inner.make("text", size))})`,
    (maker, size) => `${maker.make("text", size)}[${made(maker, 0, [small]).join("")}]`,
    (maker, size) =>
      `${maker.make("text", size)}[${maybe(small)(maker, 0, "int")}:${maybe(small)(maker, 0, "int")}${maybe(small, ":")(maker, 0, "int")}]`,
    (maker, size) =>
      `${maker.one(["min", "max"])}(${maker.make("texts", size)}${maker.one(["", ", default=''", ", key=len"])})`,
    call("chr", written("65", "233", "128512", "-1")),
    method("text", ["partition", "rpartition"], "text"),
    call("str", "nothing"),
  ],
  ints: [
    (maker, size) => `[${maker.some("int", size)}]`,
    (maker, size) => `[*${maker.make("ints", size)}, ${maker.make("int", size)}]`,
    (maker, size) => `[${maker.loop(size, (inner) => inner.make("int", size))}]`,
    joined("ints", ["+"], "ints"),
    joined("ints", ["*"], written("0", "2", "n1", "-1")),
    call("list", (maker, size) => maker.make(maker.one<Kind>(["ints", "iterator", "tuple"]), size)),
    (maker, size) =>
      `sorted(${maker.make("ints", size)}${maker.one(["", ", reverse=True", ", key=abs", ", key=str, reverse=t1"])})`,
    (maker, size) => `sorted(${maker.make("set", size)})`,
    (maker, size) =>
      `${maker.make("ints", size)}[${maybe(small)(maker, 0, "int")}:${maybe(small)(maker, 0, "int")}${maybe(small, ":")(maker, 0, "int")}]`,
    call("list", call("map", written("len", "int", "abs"), "texts")),
    call("list", call("range", "int", small)),
    (maker, size) => `range(${maker.make("int", size)})`,
    call("list", method("dict", ["values"])),
  ],
  texts: [
    (maker, size) => `[${maker.some("text", size)}]`,
    (maker, size) => `[${maker.loop(size, (inner) => inner.make("text", size))}]`,
    method("text", ["split", "rsplit", "splitlines"]),
    method("text", ["split", "rsplit"], "text"),
    method(
      "text",
      ["split", "rsplit"],
      (maker, size) => maker.one(["None", "' '", maker.make("text", size)]),
      small,
    ),
    method("text", ["split", "rsplit"], written("maxsplit=1", "sep=None, maxsplit=2", "sep=','")),
    method("text", ["splitlines"], written("True", "keepends=True")),
    joined("texts", ["+"], "texts"),
    (maker, size) =>
      `sorted(${maker.make("texts", size)}${maker.one(["", ", reverse=True", ", key=len", ", key=str"])})`,
    call("list", (maker, size) => maker.make(maker.one<Kind>(["text", "dict", "texts"]), size)),
    call("list", call("map", written("str", "repr"), "ints")),
    call("list", call("filter", written("None", "len"), "texts")),
    (maker, size) =>
      `${maker.make("texts", size)}[${maybe(small)(maker, 0, "int")}:${maybe(small)(maker, 0, "int")}]`,
    call("list", method("dict", ["keys"])),
  ],
  dict: [
    (maker, size) =>
      `{${maker.make("text", size)}: ${maker.make("int", size)}, ${maker.one(["'a'", "1", "True", "None", "(1, 2)"])}: ${whatever(maker, size, "int")}}`,
    (maker, size) =>
      `{${maker.loop(size, (inner) => `${inner.make("text", size)}: ${inner.make("int", size)}`)}}`,
    (maker, size) => `{**${maker.make("dict", size)}, 'z': ${maker.make("int", size)}}`,
    joined("dict", ["|"], "dict"),
    call("dict", "dict"),
    (maker, size) => `dict(zip(${maker.make("texts", size)}, ${maker.make("ints", size)}))`,
    (maker, size) => `dict(${maker.make("dict", size)}, q=${maker.make("int", size)})`,
    method("dict", ["copy"]),
  ],
  set: [
    (maker, size) => `{${maker.make("int", size)}, ${maker.make("int", size)}}`,
    (maker, size) => `{${maker.make("text", size)}, *${maker.make("texts", size)}}`,
    (maker, size) => `{${maker.loop(size, (inner) => inner.make(maker.one<Kind>(["int", "text"]), size))}}`,
    joined("set", ["|", "&", "-", "^"], "set"),
    call("set", (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "texts", "text", "dict", "tuple"]), size),
    ),
    method("set", ["union", "intersection", "difference", "symmetric_difference"], (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "set", "texts"]), size),
    ),
    (maker, size) =>
      `${maker.make("dict", size)}.keys() ${maker.one(["&", "|", "-"])} ${maker.make(maker.one<Kind>(["set", "texts"]), size)}`,
  ],
  tuple: [
    (maker, size) => `(${whatever(maker, size, "int")}, ${whatever(maker, size, "int")})`,
    (maker, size) => `(${whatever(maker, size, "int")},)`,
    (maker, size) => `(*${maker.make("ints", size)}, ${maker.make("text", size)})`,
    joined("tuple", ["+"], "tuple"),
    joined("tuple", ["*"], written("0", "2", "n1")),
    call("tuple", (maker, size) => maker.make(maker.one<Kind>(["ints", "texts", "text"]), size)),
    method("text", ["partition", "rpartition"], written("' '", "','", "'a'", "s1")),
    call("divmod", number, number),
    (maker, size) =>
      `${maker.make("tuple", size)}[${maybe(small)(maker, 0, "int")}:${maybe(small)(maker, 0, "int")}]`,
    (maker, size) => `max(${maker.make("dict", size)}.items(), default=None)`,
  ],
  nothing: [method("dict", ["get"], "text"), (maker, size) => `${maker.make("dict", size)}.nobody`],
  iterator: [
    (maker, size) => `(${maker.loop(size, (inner) => inner.make(maker.one<Kind>(["int", "text"]), size))})`,
    call("enumerate", "texts"),
    call("enumerate", "ints", small),
    call("zip", "ints", "texts"),
    call("zip", "ints", "ints", "texts"),
    (maker, size) => `zip(*[${maker.make("ints", size)}, ${maker.make("ints", size)}])`,
    call("map", written("str", "len", "int", "abs", "bool"), (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "texts"]), size),
    ),
    call("filter", written("None", "len", "bool"), (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "texts"]), size),
    ),
    call("reversed", (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "texts", "text", "dict", "tuple"]), size),
    ),
    call("iter", (maker, size) =>
      maker.make(maker.one<Kind>(["ints", "texts", "text", "dict", "tuple"]), size),
    ),
  ],
}
