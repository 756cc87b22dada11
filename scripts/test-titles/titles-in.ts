import ts from "typescript"

/** The rows and assertions of the tests with one title. */
export interface Titled {
  /** Tests: one, or as many as the table has rows; one where the table is not written out. */
  readonly tests: number
  /** Calls of `expect` in it. */
  readonly assertions: number
}

/** The tests of one file, as they are written: titles with those of their groups before them. */
export function titlesIn(text: string): readonly (readonly [title: string, titled: Titled])[] {
  const found: (readonly [string, Titled])[] = []
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest, true)

  function visit(node: ts.Node, groups: readonly string[], rows: number): void {
    const call = ts.isCallExpression(node) ? testCall(node) : undefined
    if (call === undefined) {
      ts.forEachChild(node, (child) => visit(child, groups, rows))
      return
    }
    const titles = [...groups, call.title]
    if (call.kind === "group") ts.forEachChild(call.body, (child) => visit(child, titles, rows * call.rows))
    else found.push([titles.join(" > "), { tests: rows * call.rows, assertions: assertionsIn(call.body) }])
  }

  visit(file, [], 1)
  return found
}

interface TestCall {
  readonly kind: "test" | "group"
  readonly title: string
  readonly rows: number
  readonly body: ts.Node
}

/** `test("…", () => …)`, `test.each([…])("…", …)`, `describe.skipIf(…).each([…])("…", …)` and the like. */
function testCall(node: ts.CallExpression): TestCall | undefined {
  const [title] = node.arguments
  const body = node.arguments.find((given) => ts.isArrowFunction(given) || ts.isFunctionExpression(given))
  if (title === undefined || body === undefined || title === body) return undefined
  const name = rootOf(node.expression)
  if (name !== "test" && name !== "it" && name !== "describe") return undefined
  return {
    kind: name === "describe" ? "group" : "test",
    title: ts.isStringLiteralLike(title) ? title.text : title.getText(),
    rows: rowsOf(node.expression),
    body,
  }
}

function rootOf(node: ts.Expression): string {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression)
  return ts.isIdentifier(node) ? node.text : ""
}

function rowsOf(node: ts.Expression): number {
  if (!ts.isCallExpression(node)) return 1
  const [table] = node.arguments
  const isTable = ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "each"
  return isTable && table && ts.isArrayLiteralExpression(table) ? table.elements.length : 1
}

function assertionsIn(node: ts.Node): number {
  const isOne =
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && /^expect/.test(node.expression.text)
  let count = isOne ? 1 : 0
  ts.forEachChild(node, (child) => {
    count += assertionsIn(child)
  })
  return count
}
