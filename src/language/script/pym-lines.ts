import type { LogicalLine, PythonToken } from "./tokens.ts"

/** A function that `@external` declares, with the places that its parts have. */
export interface ExternalNode {
  readonly name: string
  readonly parameters: readonly ParameterNode[]
  readonly hasReturnType: boolean
  /** The `...` of its body. Undefined: the body is something else. */
  readonly body: PythonToken | undefined
  readonly decorators: readonly LogicalLine[]
  readonly head: LogicalLine
}

export interface ParameterNode {
  readonly name: string
  readonly kind: "plain" | "list" | "map"
  readonly isTyped: boolean
}

/** An assignment of `Input(…)`. */
export interface InputNode {
  readonly target: PythonToken
  /** Undefined: it has no annotation. */
  readonly annotation: readonly PythonToken[] | undefined
  /** The arguments by name; the one without a name is `name`. */
  readonly parameters: ReadonlyMap<string, readonly PythonToken[]>
  readonly line: LogicalLine
}

/** Finds the functions with `@external` among the lines that stand at the left margin. */
export function findExternals(lines: readonly LogicalLine[]): readonly ExternalNode[] {
  const externals: ExternalNode[] = []
  let decorators: LogicalLine[] = []
  lines.forEach((line, index) => {
    if (line.indent > 0) return
    if (line.tokens[0]!.text === "@") {
      decorators.push(line)
      return
    }
    const node = decorators.some(isExternal)
      ? readFunction(decorators, line, bodyAfter(lines, index))
      : undefined
    if (node) externals.push(node)
    decorators = []
  })
  return externals
}

const isExternal = ({ tokens }: LogicalLine): boolean =>
  tokens.at(-1)!.text === "external" &&
  tokens.slice(1).every(({ type, text }, index) => (index % 2 === 0 ? type === "name" : text === "."))

function bodyAfter(lines: readonly LogicalLine[], head: number): readonly LogicalLine[] {
  let end = head + 1
  while (end < lines.length && lines[end]!.indent > 0) end++
  return lines.slice(head + 1, end)
}

function readFunction(
  decorators: readonly LogicalLine[],
  head: LogicalLine,
  below: readonly LogicalLine[],
): ExternalNode | undefined {
  const { tokens } = head
  const at = tokens[0]!.text === "async" ? 1 : 0
  const name = tokens[at + 1]
  if (tokens[at]!.text !== "def" || name?.type !== "name" || tokens[at + 2]?.text !== "(") return undefined
  const close = closingOf(tokens, at + 2)
  const colon = tokens.findIndex((token, index) => index > close && token.text === ":")
  const inline = tokens.slice(colon + 1)
  const body = [...(inline.length > 0 ? [inline] : []), ...below.map((line) => line.tokens)]
  const [first, second] = body
  const isText = (one: readonly PythonToken[] | undefined) =>
    one?.every(({ type }) => type === "text") === true
  const statement = body.length === 2 && isText(first) ? second : body.length === 1 ? first : undefined
  return {
    name: name.text,
    parameters: splitAtCommas(tokens.slice(at + 3, close)).flatMap(readParameter),
    hasReturnType: tokens[close + 1]?.text === "->",
    body: statement?.length === 1 && statement[0]!.text === "..." ? statement[0] : undefined,
    decorators,
    head,
  }
}

function readParameter(tokens: readonly PythonToken[]): readonly ParameterNode[] {
  const stars = tokens[0]?.text === "**" ? "map" : tokens[0]?.text === "*" ? "list" : "plain"
  const rest = stars === "plain" ? tokens : tokens.slice(1)
  const name = rest[0]
  if (name?.type !== "name" || name.text === "self") return []
  return [{ name: name.text, kind: stars, isTyped: rest[1]?.text === ":" }]
}

/** Finds `x: T = Input("x")` among the lines that stand at the left margin. */
export const findInputs = (lines: readonly LogicalLine[]): readonly InputNode[] =>
  lines.filter(({ indent }) => indent === 0).flatMap((line) => readInput(line) ?? [])

function readInput(line: LogicalLine): InputNode | undefined {
  const { tokens } = line
  const [target, next] = tokens
  if (target?.type !== "name") return undefined
  const equals = indexAtTop(tokens, "=")
  if (equals < 0 || (next!.text !== ":" && equals !== 1)) return undefined
  const open = tokens.findIndex(({ text }, index) => index > equals && text === "(")
  if (open < 0 || closingOf(tokens, open) !== tokens.length - 1) return undefined
  const called = tokens.slice(equals + 1, open)
  const isCall = called.every(({ type, text }, index) => (index % 2 === 0 ? type === "name" : text === "."))
  if (!isCall || called.at(-1)?.text !== "Input") return undefined
  const parameters = new Map(
    splitAtCommas(tokens.slice(open + 1, -1)).map((argument, index) =>
      argument[1]?.text === "="
        ? [argument[0]!.text, argument.slice(2)]
        : [index === 0 ? "name" : `${index}`, argument],
    ),
  )
  return {
    target,
    annotation: next!.text === ":" ? tokens.slice(2, equals) : undefined,
    parameters,
    line,
  }
}

/** The index of a sign outside of all brackets. */
function indexAtTop(tokens: readonly PythonToken[], sign: string): number {
  let depth = 0
  return tokens.findIndex(({ type, text }) => {
    if (type !== "sign") return false
    depth += getDepthChange(text)
    return depth === 0 && text === sign
  })
}

export const getDepthChange = (sign: string): number =>
  "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0

function closingOf(tokens: readonly PythonToken[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index]!.type === "sign") depth += getDepthChange(tokens[index]!.text)
    if (depth === 0) return index
  }
  return tokens.length
}

function splitAtCommas(tokens: readonly PythonToken[]): readonly (readonly PythonToken[])[] {
  const parts: PythonToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.type === "sign") depth += getDepthChange(token.text)
    if (depth === 0 && token.text === "," && token.type === "sign") parts.push([])
    else parts.at(-1)!.push(token)
  }
  return parts.filter((part) => part.length > 0)
}
