import ts from "typescript"

/** A part of a file, by which is told what reached it. */
export interface Mark {
  readonly start: number
  readonly end: number
}

interface Insertion {
  readonly at: number
  readonly text: string
  /** Of two at one place, what ends comes before what begins, and what began last ends first. */
  readonly rank: number
}

/** The text of a file that notes what of it is reached: every statement, and every part of an expression that may not be. */
export function marked(
  file: string,
  text: string,
): { readonly text: string; readonly marks: readonly Mark[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const marks: Mark[] = [{ start: 0, end: text.length }]
  const insertions: Insertion[] = []
  const note = (node: ts.Node) => {
    const start = node.getStart(source)
    marks.push({ start, end: node.getEnd() })
    return { start, end: node.getEnd(), code: `__reached[${marks.length - 1}]=1` }
  }
  const wrap = (node: ts.Node, [open, between, close]: readonly [string, string, string]) => {
    const { start, end, code } = note(node)
    insertions.push({ at: start, text: `${open}${code}${between}`, rank: 1 + start })
    insertions.push({ at: end, text: close, rank: -start })
  }
  const visit = (node: ts.Node): void => {
    for (const statement of statementsIn(node)) {
      const { start, code } = note(statement)
      insertions.push({ at: start, text: `${code};`, rank: 1 + start })
    }
    for (const statement of branchesOf(node)) wrap(statement, ["{", ";", "}"])
    for (const part of partsOf(node)) wrap(part, ["(", ",", ")"])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { text: `${preamble(file, marks.length)}${insert(text, insertions)}`, marks }
}

/** The innermost mark around a place. */
export function markAround(marks: readonly Mark[], { start, end }: Mark): number {
  let found = 0
  marks.forEach((mark, index) => {
    const isAround = mark.start <= start && end <= mark.end
    if (isAround && mark.end - mark.start <= marks[found]!.end - marks[found]!.start) found = index
  })
  return found
}

const preamble = (file: string, count: number): string =>
  `const __reached = (globalThis.__reached ??= {})[${JSON.stringify(file)}] ??= new Uint8Array(${count});__reached[0]=1;`

function insert(text: string, insertions: readonly Insertion[]): string {
  let result = ""
  let from = 0
  for (const { at, text: added } of [...insertions].sort((a, b) => a.at - b.at || a.rank - b.rank)) {
    result += text.slice(from, at) + added
    from = at
  }
  return result + text.slice(from)
}

function statementsIn(node: ts.Node): readonly ts.Statement[] {
  if (!ts.isBlock(node) && !ts.isCaseOrDefaultClause(node)) return []
  return node.statements.filter((statement) => !ts.isFunctionDeclaration(statement))
}

/** Statements that stand alone where a block could. */
function branchesOf(node: ts.Node): readonly ts.Statement[] {
  const branches = ts.isIfStatement(node)
    ? [node.thenStatement, node.elseStatement]
    : ts.isIterationStatement(node, false)
      ? [node.statement]
      : []
  return branches.flatMap((branch) => (branch && !ts.isBlock(branch) ? [branch] : []))
}

/** Expressions that may not be reached where what is around them is. */
function partsOf(node: ts.Node): readonly ts.Expression[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse]
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return [node.body]
  if (ts.isBinaryExpression(node) && /^(?:&&|\|\||\?\?)$/.test(node.operatorToken.getText()))
    return [node.right]
  return []
}
