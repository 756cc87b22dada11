import type { Call, Json, Message } from "../message.ts"
import type { ModelRequest, OfferedTool } from "../model.ts"
import { missingResult, turnBytes, turnOf, usableName } from "./anthropic-block.ts"
import { fields, quoted } from "./json.ts"

export interface AnthropicRequestOptions {
  readonly model: string
  readonly stream: "sse" | "json"
  readonly parameters: Readonly<Record<string, Json>>
  readonly cache: "5m" | "1h" | "off"
}

/**
 * Writes request bodies. The history is sent again with every turn, so the bytes of each message are kept for
 * as long as the message lives, and those of the tools and the system prompt as long as the array of tools.
 * The order (tools, system, messages) never changes. Four places tell the provider's cache where to look: the
 * last tool, the system prompt, the last message, and the one before it that was last when it was written.
 * That one makes the next turn hit however many blocks have come since; looking back ends after twenty.
 */
export function anthropicRequestWriter(options: AnthropicRequestOptions): (request: ModelRequest) => Buffer {
  const mark = markOf(options.cache)
  const { plain, withTools, limit, thinking } = sorted(options)
  const heads = new WeakMap<readonly OfferedTool[], { system: string; bytes: Buffer }>()

  function headOf(system: string, tools: readonly OfferedTool[]): Buffer {
    const known = heads.get(tools)
    if (known?.system === system) return known.bytes
    const offered = tools.length === 0 ? "" : `${withTools},"tools":${toolsText(tools, mark)}`
    const bytes = Buffer.from(`{${plain}${offered}${systemText(system, mark)},"messages":[`)
    heads.set(tools, { system, bytes })
    return bytes
  }

  return ({ system, tools, messages, maxOutputTokens }) => {
    const called = tools.length === 0 ? namesOf(messages) : noNames
    const head =
      called.size === 0
        ? headOf(system, tools)
        : Buffer.from(`{${plain}${withdrawn(called, mark)}${systemText(system, mark)},"messages":[`)
    const bound = Math.min(limit, maxOutputTokens ?? Number.POSITIVE_INFINITY)
    const tail = Buffer.from(`],"max_tokens":${bound}${thinkingParameter(thinking, bound)}}`)
    const turns = new Turns(head)
    turns.add(messages)
    return turns.end(mark, tail)
  }
}

/** Parameters the runtime sets itself, so that nothing else can. */
export const reservedParameters: readonly string[] = [
  "model",
  "messages",
  "tools",
  "stream",
  "system",
  "cache_control",
]

const defaultLimit = 8192
/** The least the provider takes. */
const leastThinking = 1024

function sorted({ model, stream, parameters }: AnthropicRequestOptions) {
  let plain = `"model":${JSON.stringify(model)},"stream":${stream === "sse"}`
  let withTools = ""
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || name === "max_tokens" || name === "thinking") continue
    const text = `,${JSON.stringify(name)}:${JSON.stringify(value)}`
    // Refused in a request that offers no tools, such as a run's closing turn.
    if (name === "tool_choice") withTools += text
    else plain += text
  }
  const thinking = fields(parameters.thinking)
  const limit = parameters.max_tokens ?? defaultLimit + (thinkingLimit(thinking) ?? 0)
  return { plain, withTools, limit: limit as number, thinking }
}

const thinkingLimit = (thinking: Record<string, unknown>): number | undefined =>
  typeof thinking.budget_tokens === "number" ? thinking.budget_tokens : undefined

/** Thinking must fit into the reply: where the run has little left it thinks less, or not at all. */
function thinkingParameter(thinking: Record<string, unknown>, bound: number): string {
  if (thinking.type === undefined) return ""
  if ((thinkingLimit(thinking) ?? 0) < bound) return `,"thinking":${JSON.stringify(thinking)}`
  if (bound <= leastThinking) return ""
  return `,"thinking":${JSON.stringify({ ...thinking, budget_tokens: bound - 1 })}`
}

const markOf = (cache: AnthropicRequestOptions["cache"]): string =>
  cache === "off" ? "" : `,"cache_control":{"type":"ephemeral"${cache === "1h" ? ',"ttl":"1h"' : ""}}`

const systemText = (system: string, mark: string): string =>
  system.trim() === "" ? "" : `,"system":[{"type":"text","text":${quoted(system)}${mark}}]`

function toolsText(tools: readonly OfferedTool[], mark: string): string {
  const texts = tools.map(({ name, description, input }) => {
    const said = description === "" ? "" : `"description":${quoted(description)},`
    return `{"name":${quoted(name)},${said}"input_schema":${JSON.stringify(input)}`
  })
  return `[${texts.join("},")}${mark}}]`
}

/** A history with calls in it is refused where no tool is defined, so those it names are, and may not be used. */
const withdrawn = (called: ReadonlySet<string>, mark: string): string => {
  const tools = [...called].map((name) => ({ name, description: "", input: { type: "object" } }))
  return `,"tool_choice":{"type":"none"},"tools":${toolsText(tools, mark)}`
}

const noNames: ReadonlySet<string> = new Set()

function namesOf(messages: Iterable<Message>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const message of messages)
    if (message.role === "assistant") for (const { tool } of message.calls) names.add(usableName(tool))
  return names
}

type Result = Extract<Message, { role: "tool" }>

/**
 * A history as the provider wants it: the roles take turns, and the results of all calls stand right after
 * them, in their order, one each.
 */
class Turns {
  private readonly parts: Buffer[]
  private role: "user" | "assistant" | undefined
  private lastUserPart = -1
  private earlierUserPart = -1

  constructor(head: Buffer) {
    this.parts = [head]
  }

  add(messages: Iterable<Message>): void {
    let calls = noCalls
    let results: Result[] = []
    for (const message of messages) {
      if (message.role === "tool") {
        results.push(message)
        continue
      }
      this.answer(calls, results)
      this.push(message.role, turnBytes(message))
      calls = message.role === "assistant" ? message.calls : noCalls
      if (results.length > 0) results = []
    }
    this.answer(calls, results)
  }

  /** The body, with the places marked where the cache is to look. */
  end(mark: string, tail: Buffer): Buffer {
    if (mark !== "")
      for (const index of [this.lastUserPart, this.earlierUserPart])
        if (index >= 0)
          this.parts[index] = Buffer.concat([this.parts[index]!.subarray(0, -1), Buffer.from(`${mark}}`)])
    if (this.role !== undefined) this.parts.push(endOfTurn)
    this.parts.push(tail)
    return Buffer.concat(this.parts)
  }

  private answer(calls: readonly Call[], results: readonly Result[]): void {
    for (let index = 0; index < calls.length; index++) {
      const { wire } = calls[index]!
      const given = results[index]
      const result = given?.wire === wire ? given : results.find((other) => other.wire === wire)
      this.push("user", result ? turnBytes(result) : missingResult(calls[index]!))
    }
  }

  private push(role: "user" | "assistant", turn: Buffer): void {
    if (turn.length === 0) return
    if (role === this.role) this.parts.push(comma, turn.subarray(turnOf[role].length))
    else {
      this.parts.push(this.role === undefined ? turn.subarray(endOfOther.length) : turn)
      if (role === "user") this.earlierUserPart = this.lastUserPart
    }
    this.role = role
    if (role === "user") this.lastUserPart = this.parts.length - 1
  }
}

const noCalls: readonly Call[] = []
const comma = Buffer.from(",")
const endOfTurn = Buffer.from("]}")
const endOfOther = "]},"
