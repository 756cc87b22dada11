import { checkPym } from "./check-pym.ts"
import type { ScriptDeclarations, ScriptInput } from "./declarations.ts"
import { type ExternalNode, findExternals, findInputs, type InputNode } from "./pym-lines.ts"
import { readLiteral, readPythonType } from "./python-type.ts"
import { type LogicalLine, lexPython } from "./tokens.ts"

export interface PymScript extends ScriptDeclarations {
  /**
   * The text that the interpreter runs. Every statement stands at its own line and column: declarations are blanked, and
   * the bodies of external functions call the host.
   */
  readonly program: string
}

/** The function of the host that external functions call. */
export const hostCall = "__external__"

/** Reads and checks a `.pym` script without running it. Never throws. */
export function readPym(text: string): PymScript {
  const { lines, problem } = lexPython(text)
  if (problem)
    return {
      inputs: [],
      externals: [],
      program: "",
      problems: [
        {
          code: "syntax",
          severity: "error",
          message: `This is not valid Python: ${problem.message}.`,
          start: problem.offset,
          end: problem.offset + 1,
        },
      ],
    }
  const externals = findExternals(lines)
  const inputs = findInputs(lines)
  const description = describe(text, lines)
  return {
    ...(description !== undefined && { description }),
    inputs: inputs.map(toInput),
    externals: externals.map(({ name, parameters, head }) => ({
      name,
      parameters: parameters.map((one) => one.name),
      start: head.tokens[0]!.start,
      end: head.tokens.at(-1)!.end,
    })),
    problems: checkPym({ text, lines, externals, inputs }),
    program: writeProgram(text, lines, externals, inputs),
  }
}

function toInput({ target, annotation = [], parameters }: InputNode): ScriptInput {
  const name = target.text
  const alias = parameters.get("name")?.[0]?.value
  const written = parameters.get("default")
  const value = written && readLiteral(written)
  return {
    name,
    ...(alias !== undefined && alias !== name && { alias }),
    schema: readPythonType(annotation),
    ...(value !== undefined && { default: value }),
    required: written === undefined,
  }
}

/** The text at the top of the script, or its first comment. */
function describe(text: string, lines: readonly LogicalLine[]): string | undefined {
  const [first] = lines
  const top =
    first?.tokens.length === 1 && first.tokens[0]!.type === "text" ? first.tokens[0]!.value : undefined
  const comment = /^(?:[^\S\n]*(?:#!.*)?\n)*((?:#.*(?:\n|$))+)/.exec(text.replaceAll("\r\n", "\n"))?.[1]
  const description = top ?? comment?.replace(/^#+ ?/gm, "")
  return description?.trim() || undefined
}

function writeProgram(
  text: string,
  lines: readonly LogicalLine[],
  externals: readonly ExternalNode[],
  inputs: readonly InputNode[],
): string {
  const imports = lines.filter(
    ({ tokens }) =>
      (tokens[0]!.text === "from" || tokens[0]!.text === "import") && tokens[1]?.text === "grail",
  )
  const blanked = [
    ...imports,
    ...inputs.map(({ line }) => line),
    ...externals.flatMap(({ decorators }) => decorators),
  ]
  const edits = [
    ...blanked.map(({ tokens }) => {
      const [start, end] = [tokens[0]!.start, tokens.at(-1)!.end]
      return { start, end, by: blank(text.slice(start, end)) }
    }),
    ...externals.flatMap(({ body, ...external }) =>
      body ? [{ start: body.start, end: body.end, by: bodyOf(external) }] : [],
    ),
  ].sort((one, other) => one.start - other.start)
  let program = ""
  let at = 0
  for (const { start, end, by } of edits) {
    program += text.slice(at, start) + by
    at = end
  }
  return program + text.slice(at)
}

/** Keeps line ends, so that places in the program are places in the script. A backslash would join two lines. */
const blank = (text: string): string => text.replace(/[^\r\n]/g, " ")

function bodyOf({ name, parameters }: Pick<ExternalNode, "name" | "parameters">): string {
  const entries = parameters.map(
    (one) => `${JSON.stringify(one.name)}: ${one.kind === "list" ? `list(${one.name})` : one.name}`,
  )
  return `return ${hostCall}(${JSON.stringify(name)}, {${entries.join(", ")}})`
}
