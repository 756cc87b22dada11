import type { Json } from "../../../ground/message.ts"
import { findDataUrlProblem, pdfTypes, pictureTypes } from "./attachment-problem.ts"
import { findFirstProblem, isRecord } from "./protocol.ts"
import type { RefusalRule } from "./rule.ts"

/** The chat completions of one provider. */
export interface ChatDialect {
  /** The provider's own rules, in addition to those of every server. */
  readonly rules: readonly RefusalRule[]
  /** The field for reasoning in answers. `content`: among the parts of the text. `none`: answers have no reasoning. */
  readonly reasoning:
    | "reasoning_content"
    | "reasoning"
    | "reasoning_details"
    | "extra_content"
    | "content"
    | "none"
  /** Streams always end with the usage, even if the client did not ask for it. */
  readonly usage?: "always"
  /** The ids of calls have nine letters or digits. */
  readonly ids?: "short"
}

type Message = Record<string, Json>

/** Finds the problem in one message, apart from its calls. */
export function findMessageProblem(message: Json, at: string, dialect: ChatDialect): string | undefined {
  if (!isRecord(message)) return `${at}: an object is required.`
  const { role, content } = message
  const kinds = partKinds(dialect)
  if (typeof role !== "string" || !Object.hasOwn(kinds, role))
    return `${at}.role: ${JSON.stringify(role)} is not a role.`
  if (typeof content === "string") return undefined
  const hasCalls = role === "assistant" && message.tool_calls !== undefined
  if (content === null && hasCalls) return undefined
  const allowed = kinds[role]!
  if (!Array.isArray(content) || allowed.length === 0)
    return `${at}.content: a string${hasCalls ? " or null" : ""} is required.`
  if (content.length === 0) return `${at}.content: a non-empty list is required.`
  return findFirstProblem(content as readonly Json[], (part, index) =>
    partProblem(part, `${at}.content[${index}]`, allowed),
  )
}

const partKinds = ({ reasoning }: ChatDialect): Readonly<Record<string, readonly string[]>> => ({
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
      return withPlace(
        at,
        isRecord(part.image_url) ? findDataUrlProblem(part.image_url.url, pictureTypes) : "no URL.",
      )
    case "file":
      return withPlace(at, fileProblem(part.file))
    default:
      return Array.isArray(part.thinking) ? undefined : `${at}.thinking: a list is required.`
  }
}

const fileProblem = (file: Json | undefined): string | undefined =>
  isRecord(file) && typeof file.filename === "string" && file.filename !== ""
    ? findDataUrlProblem(file.file_data, pdfTypes)
    : "filename: a string is required."

const withPlace = (at: string, problem: string | undefined): string | undefined =>
  problem && `${at}: ${problem}`

/** Finds the problem in the calls of all messages. */
export function findCallsProblem(messages: readonly Message[]): string | undefined {
  const seenIds = new Set<string>()
  return findFirstProblem(messages, ({ role, tool_calls: calls }, at) => {
    if (role !== "assistant" || calls === undefined) return undefined
    if (!Array.isArray(calls) || calls.length === 0)
      return `messages[${at}].tool_calls: a non-empty list is required.`
    return findFirstProblem(calls as readonly Json[], (call, index) => {
      const where = `messages[${at}].tool_calls[${index}]`
      if (!isRecord(call) || call.type !== "function" || !isRecord(call.function))
        return `${where}: a function call is required.`
      if (typeof call.id !== "string" || call.id === "") return `${where}.id: a non-empty string is required.`
      if (seenIds.has(call.id))
        return `${where}.id: ${call.id} is the id of two calls. Give every call its own id.`
      seenIds.add(call.id)
      if (typeof call.function.name !== "string" || call.function.name === "")
        return `${where}.function.name: a string is required.`
      return typeof call.function.arguments === "string"
        ? undefined
        : `${where}.function.arguments: a string is required.`
    })
  })
}

/** Every call needs exactly one result before the next message, and every result needs a call. */
export function findAnswersProblem(messages: readonly Message[]): string | undefined {
  let open = new Set<string>()
  const wrong = findFirstProblem(messages, (message, index) => {
    const at = `messages[${index}]`
    if (message.role === "tool")
      return open.delete(String(message.tool_call_id))
        ? undefined
        : `${at}: a message with role 'tool' must be the one response to a preceding tool call.`
    if (open.size > 0)
      return `${at}: each tool call needs its tool message before this. Missing: ${[...open].join(", ")}.`
    open = new Set(listMessageCalls(message).map(({ id }) => String(id)))
    return undefined
  })
  if (wrong || open.size === 0) return wrong
  return `messages: the last tool calls have no response. Missing: ${[...open].join(", ")}.`
}

export const listMessageCalls = ({ role, tool_calls: calls }: Message): readonly Message[] =>
  role === "assistant" && Array.isArray(calls) ? calls.filter(isRecord) : []
