import ts from "typescript"

/** A fault that could be put into a file. */
export interface Fault {
  /** Relative to the root, with slashes. */
  readonly file: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly kind: string
  readonly before: string
  /** What stands there with the fault; of a statement that is left out, nothing. */
  readonly after: string
  /** `leading`: an expression that a statement begins with. */
  readonly form: "expression" | "leading" | "statement"
}

/** All faults that are known for a file: none in types, in messages and in other prose. */
export function faultsIn(file: string, text: string): readonly Fault[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const faults: Fault[] = []
  const visit = (node: ts.Node): void => {
    if (isProse(node)) return
    for (const { kind, after, at = node, form = isLeading(at) ? "leading" : "expression" } of faultsOf(
      node,
    )) {
      if (isInChain(at)) continue
      const [start, end] = [at.getStart(source), at.getEnd()]
      const line = source.getLineAndCharacterOfPosition(start).line + 1
      faults.push({ file, start, end, line, kind, before: text.slice(start, end), after, form })
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return faults
}

interface Change {
  readonly kind: string
  readonly after: string
  readonly at?: ts.Node
  readonly form?: Fault["form"]
}

/** Types do nothing, and the words of a message are for people to judge. */
function isProse(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTemplateExpression(node))
    return true
  return ts.isNewExpression(node) && /Error$/.test(node.expression.getText())
}

/** In the middle of `a?.b().c` nothing can be put into parentheses. */
const isInChain = (node: ts.Node): boolean =>
  ts.isOptionalChain(node.parent) && "expression" in node.parent && node.parent.expression === node

function isLeading(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isExpressionStatement(node)) return true
  return parent !== undefined && parent.getStart() === node.getStart() && isLeading(parent)
}

function faultsOf(node: ts.Node): readonly Change[] {
  if (ts.isBinaryExpression(node)) return ofOperator(node)
  if (ts.isIfStatement(node)) return ofIf(node)
  if (ts.isConditionalExpression(node))
    return [
      { kind: "always the first", after: node.whenTrue.getText() },
      { kind: "always the second", after: node.whenFalse.getText() },
    ]
  if (ts.isExpressionStatement(node) && !isSuper(node.expression))
    return [{ kind: "left out", after: "", form: "statement" }]
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [{ kind: "not negated", after: node.operand.getText() }]
  if (ts.isAwaitExpression(node)) return [{ kind: "not awaited", after: node.expression.getText() }]
  if (ts.isCallExpression(node)) return ofCall(node)
  if (ts.isArrayLiteralExpression(node)) return ofList(node)
  if (ts.isSpreadAssignment(node) && isOptional(node.expression))
    return [{ kind: "without it", after: "{}", at: node.expression }]
  return ofLiteral(node)
}

const isSuper = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword

const isOptional = (node: ts.Expression): boolean => {
  const inner = ts.isParenthesizedExpression(node) ? node.expression : node
  return ts.isBinaryExpression(inner) || ts.isConditionalExpression(inner)
}

const otherOperators: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
  ["-", "+"],
  ["*", "/"],
  ["+=", "-="],
  ["-=", "+="],
])

function ofOperator(node: ts.BinaryExpression): readonly Change[] {
  const [left, operator, right] = [node.left, node.operatorToken, node.right].map((part) => part.getText())
  if (operator === "&&" || operator === "||") {
    // An optional part is left out as a whole.
    const isPart = operator === "&&" && isSpread(node)
    return [
      { kind: "without the second", after: left! },
      ...(isPart ? [] : [{ kind: "without the first", after: right! }]),
    ].filter(({ after }) => !(isPart && after === left))
  }
  if (operator === "??") return [{ kind: "without the default", after: left! }]
  if (operator === "+" && isNumeric(node)) return [{ kind: "- for +", after: `${left} - ${right}` }]
  const other = otherOperators.get(operator!)
  return other === undefined ? [] : [{ kind: `${other} for ${operator}`, after: `${left} ${other} ${right}` }]
}

const isNumeric = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((side) => ts.isNumericLiteral(side) || /\.(?:length|size)$/.test(side.getText()))

function isSpread(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isParenthesizedExpression(parent)) return isSpread(parent)
  return ts.isSpreadAssignment(parent) || ts.isSpreadElement(parent)
}

function ofIf(node: ts.IfStatement): readonly Change[] {
  const at = node.expression
  return [
    { kind: "never", after: "false", at },
    { kind: "always", after: "true", at },
  ]
}

const otherMethods: ReadonlyMap<string, string> = new Map([
  ["some", "every"],
  ["every", "some"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["min", "max"],
  ["max", "min"],
  ["indexOf", "lastIndexOf"],
  ["lastIndexOf", "indexOf"],
  ["find", "findLast"],
])

const withoutEffect: readonly string[] = ["filter", "trim", "toSorted", "toLowerCase", "reverse", "trimEnd"]

function ofCall(node: ts.CallExpression): readonly Change[] {
  const called = node.expression
  if (!ts.isPropertyAccessExpression(called) || called.questionDotToken) return []
  const method = called.name.getText()
  const receiver = called.expression.getText()
  const other = otherMethods.get(method)
  const rest = node.getText().slice(called.getText().length)
  if (other !== undefined) return [{ kind: `${other} for ${method}`, after: `${receiver}.${other}${rest}` }]
  return withoutEffect.includes(method) ? [{ kind: `without ${method}`, after: receiver }] : []
}

/** Each element in turn; of a long table, the first. */
function ofList(node: ts.ArrayLiteralExpression): readonly Change[] {
  const { elements } = node
  if (elements.length < 2 || isAssignedTo(node)) return []
  const texts = elements.map((element) => element.getText())
  const left = elements.length > 8 ? elements.slice(0, 1) : elements
  return left.map((_, index) => ({
    kind: "without an element",
    after: `[${texts.filter((_, other) => other !== index).join(", ")}]`,
  }))
}

/** `[a, b] = …`: only names can stand there. */
const isAssignedTo = (node: ts.ArrayLiteralExpression): boolean =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken

function ofLiteral(node: ts.Node): readonly Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: "false for true", after: "false" }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ kind: "true for false", after: "true" }]
  if (ts.isNumericLiteral(node) && !isName(node))
    return [{ kind: "another number", after: node.text === "0" ? "1" : "0" }]
  if (ts.isStringLiteral(node) && !isName(node) && isWord(node))
    return [{ kind: "another word", after: JSON.stringify(`${node.text}?`) }]
  return []
}

const isName = (node: ts.Node): boolean => "name" in node.parent && node.parent.name === node

/** A word that something is compared with or chosen by. */
function isWord(node: ts.StringLiteral): boolean {
  if (!/^[a-z][\w-]*$/i.test(node.text)) return false
  const { parent } = node
  if (ts.isCaseClause(parent)) return true
  if (ts.isBinaryExpression(parent)) return /^[!=]==$/.test(parent.operatorToken.getText())
  return ts.isPropertyAssignment(parent) && parent.initializer === node
}
