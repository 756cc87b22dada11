import type { Json } from "../../../ground/message.ts"
import { dataUrlProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { firstProblem, isRecord } from "./protocol.ts"
import type { Rule } from "./rule.ts"

/** How one provider speaks chat completions. */
export interface Dialect {
  /** What it refuses beside what every server does. */
  readonly rules: readonly Rule[]
  /** Where its answers hold what was thought. `content`: between the parts of the text. `none`: nowhere. */
  readonly reasoning:
    | "reasoning_content"
    | "reasoning"
    | "reasoning_details"
    | "extra_content"
    | "content"
    | "none"
  /** Its streams end with what was used, whether they are asked to or not. */
  readonly usage?: "always"
  /** Its calls have ids of nine letters or digits. */
  readonly ids?: "short"
}

type Message = Record<string, Json>

/** What is wrong with a message by itself, but for its calls. */
export function messageProblem(message: Json, at: string, dialect: Dialect): string | undefined {
  if (!isRecord(message)) return `${at}: an object is required.`
  const { role, content } = message
  const kinds = partKinds(dialect)
  if (typeof role !== "string" || !Object.hasOwn(kinds, role))
    return `${at}.role: ${JSON.stringify(role)} is no role.`
  if (typeof content === "string") return undefined
  const hasCalls = role === "assistant" && message.tool_calls !== undefined
  if (content === null && hasCalls) return undefined
  const allowed = kinds[role]!
  if (!Array.isArray(content) || allowed.length === 0)
    return `${at}.content: a string${hasCalls ? " or null" : ""} is required.`
  if (content.length === 0) return `${at}.content: a non-empty list is required.`
  return firstProblem(content as readonly Json[], (part, index) =>
    partProblem(part, `${at}.content[${index}]`, allowed),
  )
}

const partKinds = ({ reasoning }: Dialect): Readonly<Record<string, readonly string[]>> => ({
  system: [],
  developer: [],
  user: ["text", "image_url", "file"],
  assistant: reasoning === "content" ? ["text", "thinking"] : [],
  tool: [],
})

function partProblem(part: Json, at: string, allowed: readonly string[]): string | undefined {
  if (!isRecord(part) || !allowed.includes(String(part.type)))
    return `${at}: Invalid value: ${JSON.stringify(isRecord(part) ? (part.type ?? null) : part)}. Supported values are: ${allowed.map((type) => `'${type}'`).join(", ")}.`
  switch (part.type) {
    case "text":
      return typeof part.text === "string" ? undefined : `${at}.text: a string is required.`
    case "image_url":
      return placed(
        at,
        isRecord(part.image_url) ? dataUrlProblem(part.image_url.url, pictureTypes) : "no URL.",
      )
    case "file":
      return placed(at, fileProblem(part.file))
    default:
      return Array.isArray(part.thinking) ? undefined : `${at}.thinking: a list is required.`
  }
}

const fileProblem = (file: Json | undefined): string | undefined =>
  isRecord(file) && typeof file.filename === "string" && file.filename !== ""
    ? dataUrlProblem(file.file_data, pdfTypes)
    : "filename: a string is required."

const placed = (at: string, problem: string | undefined): string | undefined => problem && `${at}: ${problem}`

/** What is wrong with the calls of the messages. */
export function callsProblem(messages: readonly Message[]): string | undefined {
  const seen = new Set<string>()
  return firstProblem(messages, ({ role, tool_calls: calls }, at) => {
    if (role !== "assistant" || calls === undefined) return undefined
    if (!Array.isArray(calls) || calls.length === 0)
      return `messages[${at}].tool_calls: a non-empty list is required.`
    return firstProblem(calls as readonly Json[], (call, index) => {
      const where = `messages[${at}].tool_calls[${index}]`
      if (!isRecord(call) || call.type !== "function" || !isRecord(call.function))
        return `${where}: a function call is required.`
      if (typeof call.id !== "string" || call.id === "") return `${where}.id: a non-empty string is required.`
      if (seen.has(call.id)) return `${where}.id: ${call.id} is in the conversation twice.`
      seen.add(call.id)
      if (typeof call.function.name !== "string" || call.function.name === "")
        return `${where}.function.name: a string is required.`
      return typeof call.function.arguments === "string"
        ? undefined
        : `${where}.function.arguments: a string is required.`
    })
  })
}

/** Every call has its one result before anything else is said, and nothing else has one. */
export function answersProblem(messages: readonly Message[]): string | undefined {
  let open = new Set<string>()
  const wrong = firstProblem(messages, (message, index) => {
    const at = `messages[${index}]`
    if (message.role === "tool")
      return open.delete(String(message.tool_call_id))
        ? undefined
        : `${at}: a message with role 'tool' must be the one response to a preceding tool call.`
    if (open.size > 0)
      return `${at}: each tool call needs its tool message before this. Missing: ${[...open].join(", ")}.`
    open = new Set(callsOf(message).map(({ id }) => String(id)))
    return undefined
  })
  if (wrong || open.size === 0) return wrong
  return `messages: the last tool calls have no response. Missing: ${[...open].join(", ")}.`
}

export const callsOf = ({ role, tool_calls: calls }: Message): readonly Message[] =>
  role === "assistant" && Array.isArray(calls) ? calls.filter(isRecord) : []
