import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import type { PythonToken } from "./tokens.ts"

/** The JSON Schema of an annotation, as Remora derives it. A type that is not known counts as text. */
export function readPythonType(tokens: readonly PythonToken[]): JsonSchema {
  if (tokens.length === 0) return { type: "string" }
  return new TypeReader(tokens).union()
}

/** The value of a literal. Undefined: it is not one. */
export function readLiteral(tokens: readonly PythonToken[]): Json | undefined {
  const reader = new LiteralReader(tokens)
  const value = reader.value(0)
  return reader.isDone ? value : undefined
}

const plain: Readonly<Record<string, JsonSchema>> = {
  int: { type: "integer" },
  float: { type: "number" },
  bool: { type: "boolean" },
  str: { type: "string" },
  list: { type: "array" },
  List: { type: "array" },
  set: { type: "array" },
  Set: { type: "array" },
  frozenset: { type: "array" },
  tuple: { type: "array" },
  Tuple: { type: "array" },
  Sequence: { type: "array" },
  Iterable: { type: "array" },
  dict: { type: "object" },
  Dict: { type: "object" },
  Mapping: { type: "object" },
  MutableMapping: { type: "object" },
  Any: {},
  object: {},
  None: { type: "null" },
}

const deepest = 20

class TypeReader {
  readonly #tokens: readonly PythonToken[]
  #at = 0

  constructor(tokens: readonly PythonToken[]) {
    this.#tokens = tokens
  }

  union(depth = 0): JsonSchema {
    const members = [this.#one(depth)]
    while (this.#take("|")) members.push(this.#one(depth))
    return unionOf(members)
  }

  #one(depth: number): JsonSchema {
    const token = this.#tokens[this.#at++]
    if (!token || depth > deepest) return { type: "string" }
    // A quoted annotation is read by its first name.
    if (token.type === "text")
      return (
        plain[
          /^[\w.]*/
            .exec(token.value ?? "")![0]
            .split(".")
            .at(-1)!
        ] ?? { type: "string" }
      )
    let name = token.text
    while (this.#take(".")) name = this.#tokens[this.#at++]?.text ?? name
    if (name === "Literal") return this.#literals()
    const inner = this.#take("[") ? this.#inner(depth + 1) : []
    if (name === "Optional") return unionOf(inner)
    if (name === "Union") return unionOf(inner)
    const schema = Object.hasOwn(plain, name) ? plain[name]! : { type: "string" }
    if (schema.type !== "array") return schema
    const [items = {}] = inner
    return { type: "array", items }
  }

  #inner(depth: number): readonly JsonSchema[] {
    const members: JsonSchema[] = []
    while (this.#at < this.#tokens.length && !this.#take("]")) {
      members.push(this.union(depth))
      while (this.#at < this.#tokens.length && ![",", "]"].includes(this.#tokens[this.#at]!.text)) this.#at++
      this.#take(",")
    }
    return members
  }

  #literals(): JsonSchema {
    const values: Json[] = []
    if (this.#take("["))
      while (this.#at < this.#tokens.length && !this.#take("]")) {
        const value = readLiteral([this.#tokens[this.#at++]!])
        if (value !== undefined) values.push(value)
      }
    return values.length === 0 ? { type: "string" } : { enum: values }
  }

  #take(text: string): boolean {
    const token = this.#tokens[this.#at]
    if (token?.type !== "sign" || token.text !== text) return false
    this.#at++
    return true
  }
}

/** Null is dropped beside other types: a model leaves out what it does not give. */
function unionOf(members: readonly JsonSchema[]): JsonSchema {
  const others = members.filter(({ type }) => type !== "null")
  const [first, ...rest] = others
  if (!first) return { type: "null" }
  if (rest.length === 0) return first
  return others.some((schema) => Object.keys(schema).length === 0) ? {} : { anyOf: others }
}

class LiteralReader {
  readonly #tokens: readonly PythonToken[]
  #at = 0

  constructor(tokens: readonly PythonToken[]) {
    this.#tokens = tokens
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length
  }

  value(depth: number): Json | undefined {
    const token = this.#tokens[this.#at++]
    if (!token || depth > deepest) return undefined
    if (token.type === "text") return this.#joined(token)
    if (token.type === "number") return numberOf(token.text)
    if (token.type === "name") return { None: null, True: true, False: false }[token.text]
    if (token.text === "-" || token.text === "+") {
      const value = this.value(depth + 1)
      return typeof value === "number" ? (token.text === "-" ? -value : value) : undefined
    }
    if (token.text === "[" || token.text === "(") return this.#list(token.text === "[" ? "]" : ")", depth)
    return token.text === "{" ? this.#map(depth) : undefined
  }

  /** Texts that stand beside each other are one. */
  #joined(first: PythonToken): string | undefined {
    let text = first.value
    for (let next = this.#tokens[this.#at]; next?.type === "text"; next = this.#tokens[++this.#at])
      text = text === undefined || next.value === undefined ? undefined : text + next.value
    return text
  }

  #list(close: string, depth: number): Json | undefined {
    const values: Json[] = []
    while (!this.#take(close)) {
      const value = this.value(depth + 1)
      if (value === undefined) return undefined
      values.push(value)
      if (!this.#take(",") && this.#tokens[this.#at]?.text !== close) return undefined
    }
    return values
  }

  #map(depth: number): Json | undefined {
    const entries: [string, Json][] = []
    while (!this.#take("}")) {
      const key = this.value(depth + 1)
      if (typeof key !== "string" || !this.#take(":")) return undefined
      const value = this.value(depth + 1)
      if (value === undefined) return undefined
      entries.push([key, value])
      if (!this.#take(",") && this.#tokens[this.#at]?.text !== "}") return undefined
    }
    return Object.fromEntries(entries)
  }

  #take(text: string): boolean {
    if (this.#tokens[this.#at]?.text !== text || this.#tokens[this.#at]?.type !== "sign") return false
    this.#at++
    return true
  }
}

function numberOf(text: string): number | undefined {
  const value = Number(text.replaceAll("_", ""))
  return Number.isFinite(value) ? value : undefined
}
