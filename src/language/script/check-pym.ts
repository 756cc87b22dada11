import type { ScriptProblem } from "./declarations.ts"
import type { ExternalNode, InputNode } from "./pym-lines.ts"
import { getDepthChange } from "./pym-lines.ts"
import type { LogicalLine, PythonToken } from "./tokens.ts"

interface Parts {
  readonly text: string
  readonly lines: readonly LogicalLine[]
  readonly externals: readonly ExternalNode[]
  readonly inputs: readonly InputNode[]
}

/** Checks a `.pym` script as Grail does: E001 to E012 keep it from running, W001 to W004 do not. */
export function checkPym(parts: Parts): readonly ScriptProblem[] {
  const problems = [
    ...parts.lines.flatMap(({ tokens }) => [...forbiddenWords(tokens), ...forbiddenImports(tokens)]),
    ...parts.lines.flatMap(matchStatements),
    ...parts.externals.flatMap(externalProblems),
    ...parts.inputs.flatMap(inputProblems),
    ...warnings(parts),
  ]
  return problems.sort((one, other) => one.start - other.start || (one.code < other.code ? -1 : 1))
}

const words: Readonly<Record<string, readonly [code: string, message: string]>> = {
  class: ["E001", "Classes are not supported in scripts. Use functions and dicts."],
  yield: ["E002", "Generators (`yield`) are not supported in scripts. Return a list."],
  with: ["E003", "`with` is not supported in scripts. Use try and finally, or an @external function."],
  global: ["E009", "`global` is not supported in scripts. Use parameters and return values."],
  nonlocal: ["E010", "`nonlocal` is not supported in scripts. Use parameters and return values."],
  del: ["E011", "`del` is not supported in scripts. Build a new value without that part."],
  lambda: ["E012", "`lambda` is not supported in scripts. Define a function with `def`."],
}

const forbiddenWords = (tokens: readonly PythonToken[]): readonly ScriptProblem[] =>
  tokens.flatMap((token) => {
    if (token.type !== "name" || !Object.hasOwn(words, token.text)) return []
    const [code, message] = words[token.text]!
    return [problemAt(code, message, token)]
  })

/** `match` is a word of its own only at the beginning of a statement that ends with a colon. */
function matchStatements({ tokens }: LogicalLine): readonly ScriptProblem[] {
  const [first, second] = tokens
  const isMatch = first!.text === "match" && first!.type === "name" && tokens.length > 2
  if (!isMatch || tokens.at(-1)!.text !== ":" || second!.text === ":") return []
  return [problemAt("E004", "`match` is not supported in scripts. Use if, elif and else.", first!)]
}

const allowedModules: readonly string[] = ["grail", "typing", "__future__"]

function forbiddenImports(tokens: readonly PythonToken[]): readonly ScriptProblem[] {
  return tokens.flatMap((token, index) => {
    if (token.type !== "name" || token.text !== "import") return []
    const start =
      tokens.findLastIndex(({ text, type }, at) => at < index && type === "sign" && text === ";") + 1
    const from = tokens.findLastIndex(
      ({ text, type }, at) => at < index && type === "name" && text === "from",
    )
    const modules =
      from >= start
        ? [
            tokens
              .slice(from + 1, index)
              .map(({ text }) => text)
              .join(""),
          ]
        : importedNames(tokens, index)
    return modules
      .filter((name) => !allowedModules.includes(from >= start ? name : name.split(".")[0]!))
      .map((name) =>
        problemAt(
          "E005",
          `The import of ${JSON.stringify(name)} is not allowed in scripts. They may import from ${allowedModules.join(", ")}.`,
          tokens[from >= start ? from : index]!,
          tokens.at(-1),
        ),
      )
  })
}

/** `import a.b as c, d` */
function importedNames(tokens: readonly PythonToken[], index: number): readonly string[] {
  const names: string[] = [""]
  let isName = true
  for (const { text } of tokens.slice(index + 1)) {
    if (text === ";") break
    if (text === ",") {
      names.push("")
      isName = true
    } else if (text === "as") isName = false
    else if (isName) names[names.length - 1] += text
  }
  return names
}

function externalProblems({
  name,
  parameters,
  hasReturnType,
  body,
  head,
}: ExternalNode): readonly ScriptProblem[] {
  const at = (code: string, message: string) => problemAt(code, message, head.tokens[0]!, head.tokens.at(-1))
  return [
    ...parameters
      .filter(({ isTyped }) => !isTyped)
      .map((one) => at("E006", `The parameter ${one.name} of the external function ${name} has no type.`)),
    ...(hasReturnType ? [] : [at("E006", `The external function ${name} has no return type.`)]),
    ...(body
      ? []
      : [at("E007", `The body of the external function ${name} must be \`...\`: the host has its code.`)]),
  ]
}

function inputProblems({ target, annotation, parameters }: InputNode): readonly ScriptProblem[] {
  const name = parameters.get("name")
  const isNamed = name === undefined || (name.length === 1 && name[0]!.value !== undefined)
  return [
    ...(annotation && annotation.length > 0
      ? []
      : [
          problemAt(
            "E008",
            `The input ${target.text} has no type. Write \`${target.text}: str = Input(…)\`.`,
            target,
          ),
        ]),
    ...(isNamed
      ? []
      : [problemAt("E008", `The name of the input ${target.text} must be a plain text.`, target)]),
  ]
}

const mostLines = 200

function warnings({ text, lines, externals, inputs }: Parts): readonly ScriptProblem[] {
  const used = usedNames(lines)
  const count = text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\r|\n/).length
  const last = lines.at(-1)
  return [
    ...(last && last.indent === 0 && isBareValue(last.tokens)
      ? [
          warningAt(
            "W001",
            "The result is a bare dict or list. Give it a name first.",
            last.tokens[0]!,
            last.tokens.at(-1),
          ),
        ]
      : []),
    ...externals
      .filter(({ name }) => !used.has(name))
      .map(({ name, head }) =>
        warningAt("W002", `The external function ${name} is never used.`, head.tokens[0]!),
      ),
    ...inputs
      .filter(({ target }) => !used.has(target.text))
      .map(({ target }) => warningAt("W003", `The input ${target.text} is never used.`, target)),
    ...(count > mostLines
      ? [warningAt("W004", `The script has ${count} lines, more than ${mostLines}.`, lines[0]!.tokens[0]!)]
      : []),
  ]
}

/** A dict or a list that is written out; a set, a comprehension or a longer expression is none. */
function isBareValue(tokens: readonly PythonToken[]): boolean {
  const open = tokens[0]!.text
  if (open !== "{" && open !== "[") return false
  let depth = 0
  let hasColon = false
  for (const [index, { type, text }] of tokens.entries()) {
    if (type === "sign") depth += getDepthChange(text)
    if (depth === 0 && index < tokens.length - 1) return false
    if (depth === 1 && type === "name" && text === "for") return false
    hasColon ||= depth === 1 && (text === ":" || text === "**") && type === "sign"
  }
  return open === "[" || hasColon || tokens.length === 2
}

/** Names that are read somewhere: not those that are only assigned, declared, or names of arguments. */
function usedNames(lines: readonly LogicalLine[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { tokens } of lines) {
    const isFunction = tokens[0]!.text === "def" || tokens[1]?.text === "def"
    let depth = 0
    for (const [index, { type, text }] of tokens.entries()) {
      if (type === "sign") depth += getDepthChange(text)
      if (type !== "name") continue
      const [before, after] = [tokens[index - 1]?.text, tokens[index + 1]?.text]
      const isTarget = index === 0 && (after === "=" || after === ":")
      const isArgument = depth > 0 && after === "=" && (before === "(" || before === ",")
      const isParameter =
        isFunction && depth === 1 && (before === "(" || before === "," || before === "*" || before === "**")
      if (before !== "def" && !isTarget && !isArgument && !isParameter) used.add(text)
    }
  }
  return used
}

const problemAt = (
  code: string,
  message: string,
  first: PythonToken,
  last: PythonToken = first,
): ScriptProblem => ({
  code,
  severity: "error",
  message,
  start: first.start,
  end: last.end,
})

const warningAt = (...parts: Parameters<typeof problemAt>): ScriptProblem => ({
  ...problemAt(...parts),
  severity: "warning",
})
