import { executorToolName } from "../../../agent/executor.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { isMap } from "../../../ground/message.ts"
import { quoteWords } from "../../../world/shell/quote.ts"
import { showCommand } from "../../../world/shell/show-command.ts"

/** The tool and its input. For a command, the command itself, never the model's description of it. */
export function callText(tool: string, text: string): string {
  return `${tool} ${findCallCommand(tool, text) ?? questionOf(tool, text) ?? text}`
}

/** The argument that says most about a call: the command, the file, the question. Otherwise all arguments. */
export function getMainArgument(tool: string, text: string): string {
  const command = findCallCommand(tool, text) ?? questionOf(tool, text)
  if (command !== undefined) return command
  const input = argumentsOf(text)
  const name = mainNames.find((one) => typeof input[one] === "string")
  if (name === undefined) return text === "{}" ? "" : text
  const agent = input.agent ?? input.subagent_type ?? input.type
  return name === "prompt" && typeof agent === "string" ? `${agent}: ${input[name]}` : String(input[name])
}

const mainNames = [
  "path",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "prompt",
  "command",
  "text",
  "name",
  "agent",
  "description",
]

/** The question that an approval step of a pipeline asks. */
function questionOf(tool: string, text: string): string | undefined {
  const { message } = tool === "approval" ? argumentsOf(text) : {}
  return typeof message === "string" ? message : undefined
}

/** The exact command line that a call would run. For an executor, the words of its program, quoted. */
export function findCallCommand(tool: string, text: string): string | undefined {
  const { command } = tool === "Bash" || tool === executorToolName ? argumentsOf(text) : {}
  if (tool === executorToolName && Array.isArray(command)) return quoteWords(command.map(String))
  return typeof command === "string" ? command : undefined
}

/** The most characters that are shown of one argument. A command is always shown whole. */
const longest = 600

/** A call in lines of safe text. Long arguments are cut, so that none can push another out of sight. */
export function callLines(tool: string, text: string): readonly string[] {
  const command = findCallCommand(tool, text)
  const { command: _, description: __, ...rest } = argumentsOf(text)
  if (command !== undefined)
    return [...showCommand(command).split("\n"), ...Object.entries(rest).map(argumentLine)]
  const question = questionOf(tool, text)
  if (question !== undefined) return question.split("\n").map(bounded)
  const entries = Object.entries(argumentsOf(text))
  return text.length <= longest || entries.length === 0 ? [bounded(text)] : entries.map(argumentLine)
}

const argumentLine = ([name, value]: readonly [string, unknown]): string =>
  `${escapeText(name)}: ${bounded(typeof value === "string" ? value : JSON.stringify(value))}`

function bounded(text: string): string {
  if (text.length <= longest) return escapeText(text)
  const [start, end] = [text.slice(0, longest - 200), text.slice(-150)].map((part) => part.toWellFormed())
  return escapeText(`${start} … ${end} (${text.length} characters in total)`)
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? { ...value } : {}
  } catch {
    // Arguments that are no JSON are shown as they were written.
    return {}
  }
}
