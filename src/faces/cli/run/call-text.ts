import { executorToolName } from "../../../agent/executor.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { isMap } from "../../../ground/message.ts"
import { quoteWords } from "../../../world/shell/quote.ts"
import { showCommand } from "../../../world/shell/show-command.ts"

/** A call as its tool and what it is asked to do. Of a command the command itself, never what a model says it is for. */
export function callText(tool: string, text: string): string {
  return `${tool} ${commandOf(tool, text) ?? questionOf(tool, text) ?? text}`
}

/** What a step of a pipeline asks a person. */
function questionOf(tool: string, text: string): string | undefined {
  const { message } = tool === "approval" ? argumentsOf(text) : {}
  return typeof message === "string" ? message : undefined
}

/** The command line that a call would run, as it is; of a program that runs an agent, its words. */
export function commandOf(tool: string, text: string): string | undefined {
  const { command } = tool === "Bash" || tool === executorToolName ? argumentsOf(text) : {}
  if (tool === executorToolName && Array.isArray(command)) return quoteWords(command.map(String))
  return typeof command === "string" ? command : undefined
}

/** Characters of one argument that is no command; a command is shown whole. */
const longest = 600

/** A call as a person judges it, in lines of safe text: no argument can push another one out of sight. */
export function callLines(tool: string, text: string): readonly string[] {
  const command = commandOf(tool, text)
  const { command: _, description: __, ...rest } = argumentsOf(text)
  if (command !== undefined)
    return [...showCommand(command).split("\n"), ...Object.entries(rest).map(argumentLine)]
  const asked = questionOf(tool, text)
  if (asked !== undefined) return asked.split("\n").map(bounded)
  const entries = Object.entries(argumentsOf(text))
  return text.length <= longest || entries.length === 0 ? [bounded(text)] : entries.map(argumentLine)
}

const argumentLine = ([name, value]: readonly [string, unknown]): string =>
  `${escapeText(name)}: ${bounded(typeof value === "string" ? value : JSON.stringify(value))}`

function bounded(text: string): string {
  if (text.length <= longest) return escapeText(text)
  const [start, end] = [text.slice(0, longest - 200), text.slice(-150)].map((part) => part.toWellFormed())
  return escapeText(`${start} … ${end} (${text.length} characters in all)`)
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? { ...value } : {}
  } catch {
    // Then it is shown as it was written.
    return {}
  }
}
