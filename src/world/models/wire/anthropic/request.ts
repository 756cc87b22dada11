import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import type { Message, ToolCall } from "../../../../ground/message.ts"
import { quoteJson } from "../json.ts"
import type { RequestHead } from "../parameters.ts"
import type { ReplyOrigin } from "../provider-data.ts"
import { getAddressHost, type StrictRules, type StrictTools } from "../strict-tools.ts"
import { toUsableName } from "../tool-name.ts"
import { createTurnWriter, turnStarts, writeMissingResult } from "./block.ts"
import {
  type AnthropicSettings,
  type AnthropicSettingsOptions,
  buildAnthropicSettings,
  writeAnthropicSettings,
  writeThinkingParameter,
} from "./settings.ts"
import { isAnthropicStrictSchema } from "./strict-schema.ts"

export interface AnthropicRequestOptions extends AnthropicSettingsOptions {
  readonly cache: "5m" | "1h" | "off"
  readonly strict: StrictTools
  readonly origin: ReplyOrigin
}

/**
 * Writes request bodies. Every turn sends the whole history again, so the bytes of each message are cached while the
 * message lives. The bytes of the tools and the system prompt are cached with the array of tools. The order (tools,
 * system, messages) never changes.
 *
 * Four marks tell the provider's cache where to look. They are at the last tool, the system prompt, the last message and
 * the last message of the request before. The fourth mark makes the next turn hit, however many blocks were added. The
 * provider itself looks back only twenty blocks.
 */
export function createAnthropicWriter(options: AnthropicRequestOptions): (request: ModelRequest) => Buffer {
  const mark = markOf(options.cache)
  const defaultSettings = writeAnthropicSettings(options, options.parameters)
  const turnBytes = createTurnWriter(options.origin)
  const heads = new WeakMap<readonly OfferedTool[], RequestHead<AnthropicSettings>>()

  function settingsOf({ parameters, effort }: ModelRequest): AnthropicSettings {
    return parameters === undefined && effort === undefined
      ? defaultSettings
      : buildAnthropicSettings(options, parameters, effort)
  }

  function headOf(request: ModelRequest): RequestHead<AnthropicSettings> {
    const { system, tools, parameters, effort } = request
    const cachedHead = heads.get(tools)
    if (cachedHead?.system === system && cachedHead.parameters === parameters && cachedHead.effort === effort)
      return cachedHead
    const settings = settingsOf(request)
    const toolsPart =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, mark, options.strict)}`
    const bytes = Buffer.from(`{${settings.plain}${toolsPart}${systemText(system, mark)},"messages":[`)
    const head = { system, parameters, effort, settings, bytes }
    heads.set(tools, head)
    return head
  }

  function withdrawnHead(
    request: ModelRequest,
    calledNames: ReadonlySet<string>,
  ): Pick<RequestHead<AnthropicSettings>, "settings" | "bytes"> {
    const settings = settingsOf(request)
    const tools = withdrawnTools(calledNames, mark)
    const bytes = Buffer.from(`{${settings.plain}${tools}${systemText(request.system, mark)},"messages":[`)
    return { settings, bytes }
  }

  return (request) => {
    const { tools, messages, maxOutputTokens } = request
    const calledNames = tools.length === 0 ? namesOf(messages) : noNames
    const { settings, bytes } = calledNames.size === 0 ? headOf(request) : withdrawnHead(request, calledNames)
    const bound = Math.min(settings.limit, maxOutputTokens ?? Number.POSITIVE_INFINITY)
    const turns = new Turns(bytes, (message) => turnBytes(message, request))
    turns.add(messages)
    const isRefused = turns.isWithoutThinking && settings.thinking.type === "enabled"
    const thinking = isRefused ? "" : writeThinkingParameter(settings.thinking, bound)
    return turns.end(mark, Buffer.from(`],"max_tokens":${bound}${thinking}}`))
  }
}

/**
 * The rules for strict tools. Other servers may refuse the word `strict`. Of Anthropic's own models those since 4.5
 * accept it (platform.claude.com and the table of models in `@earendil-works/pi-ai` 1.5.0, 2026-11).
 */
export function getAnthropicStrictRules(model: string, baseUrl: string | undefined): StrictRules {
  const isAnthropicAddress = [undefined, "api.anthropic.com"].includes(getAddressHost(baseUrl))
  const isRecent = /^claude-[a-z]+-(4-[5-9]|[5-9])(-|$)/.test(model)
  return { support: isAnthropicAddress && isRecent ? "known" : "unknown", takes: isAnthropicStrictSchema }
}

const markOf = (cache: AnthropicRequestOptions["cache"]): string =>
  cache === "off" ? "" : `,"cache_control":{"type":"ephemeral"${cache === "1h" ? ',"ttl":"1h"' : ""}}`

const systemText = (system: string, mark: string): string =>
  system.trim() === "" ? "" : `,"system":[{"type":"text","text":${quoteJson(system)}${mark}}]`

function toolsText(tools: readonly OfferedTool[], mark: string, strict?: StrictTools): string {
  const texts = tools.map((tool) => {
    const descriptionPart = tool.description === "" ? "" : `"description":${quoteJson(tool.description)},`
    const strictPart = strict?.has(tool) ? ',"strict":true' : ""
    return `{"name":${quoteJson(tool.name)},${descriptionPart}"input_schema":${JSON.stringify(tool.input)}${strictPart}`
  })
  return `[${texts.join("},")}${mark}}]`
}

/**
 * The provider refuses a history with calls if no tool is defined. So the called tools are defined, but may not be
 * used.
 */
const withdrawnTools = (calledNames: ReadonlySet<string>, mark: string): string => {
  const tools = [...calledNames].map((name) => ({ name, description: "", input: { type: "object" } }))
  return `,"tool_choice":{"type":"none"},"tools":${toolsText(tools, mark)}`
}

const noNames: ReadonlySet<string> = new Set()

function namesOf(messages: Iterable<Message>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const message of messages)
    if (message.role === "assistant") for (const { tool } of message.calls) names.add(toUsableName(tool))
  return names
}

type Result = Extract<Message, { role: "tool" }>

/**
 * Writes a history in the form that the provider accepts. The roles alternate, and each call has exactly one result,
 * directly after the calls and in their order.
 */
class Turns {
  private readonly parts: Buffer[]
  private readonly turnBytes: (message: Message) => Buffer
  private role: "user" | "assistant" | undefined
  private lastUserPart = -1
  private earlierUserPart = -1
  /** The beginning of the first reply after the last message of the user. */
  private opening: "thinking" | "other" | undefined

  constructor(head: Buffer, turnBytes: (message: Message) => Buffer) {
    this.parts = [head]
    this.turnBytes = turnBytes
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
      const bytes = this.turnBytes(message)
      this.push(message.role, bytes)
      if (message.role === "user") this.opening = undefined
      else this.opening ??= beginsWithThinking(bytes) ? "thinking" : "other"
      calls = message.role === "assistant" ? message.calls : noCalls
      if (results.length > 0) results = []
    }
    this.answer(calls, results)
  }

  /**
   * True if the current turn began without thinking, such as a turn of another provider. It must continue without, or
   * the provider refuses it.
   */
  get isWithoutThinking(): boolean {
    return this.opening === "other"
  }

  /** Returns the body, with its marks for the cache. */
  end(mark: string, tail: Buffer): Buffer {
    if (mark !== "")
      for (const index of [this.lastUserPart, this.earlierUserPart])
        if (index >= 0)
          this.parts[index] = Buffer.concat([this.parts[index]!.subarray(0, -1), Buffer.from(`${mark}}`)])
    if (this.role !== undefined) this.parts.push(endOfTurn)
    this.parts.push(tail)
    return Buffer.concat(this.parts)
  }

  private answer(calls: readonly ToolCall[], results: readonly Result[]): void {
    for (let index = 0; index < calls.length; index++) {
      const { wire } = calls[index]!
      const sameIndex = results[index]
      const result = sameIndex?.wire === wire ? sameIndex : results.find((other) => other.wire === wire)
      this.push("user", result ? this.turnBytes(result) : writeMissingResult(calls[index]!))
    }
  }

  private push(role: "user" | "assistant", turn: Buffer): void {
    if (turn.length === 0) return
    if (role === this.role) this.parts.push(comma, turn.subarray(turnStarts[role].length))
    else {
      this.parts.push(this.role === undefined ? turn.subarray(endOfOther.length) : turn)
      if (role === "user") this.earlierUserPart = this.lastUserPart
    }
    this.role = role
    if (role === "user") this.lastUserPart = this.parts.length - 1
  }
}

function beginsWithThinking(turn: Buffer): boolean {
  const from = turnStarts.assistant.length
  return /^\{"type":"(?:redacted_)?thinking"/.test(turn.toString("utf8", from, from + 30))
}

const noCalls: readonly ToolCall[] = []
const comma = Buffer.from(",")
const endOfTurn = Buffer.from("]}")
const endOfOther = "]},"
