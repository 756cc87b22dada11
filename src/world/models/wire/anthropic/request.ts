import type { ModelRequest, OfferedTool } from "../../../../agent/model.ts"
import type { Call, Message } from "../../../../ground/message.ts"
import { quoted } from "../json.ts"
import type { Head } from "../parameters.ts"
import type { Origin } from "../provider-data.ts"
import { hostOf, type StrictRules, type StrictTools } from "../strict-tools.ts"
import { usableName } from "../tool-name.ts"
import { missingResult, turnOf, turnWriter } from "./block.ts"
import {
  requestSettings,
  type Settings,
  type SettingsOptions,
  settingsFrom,
  thinkingParameter,
} from "./settings.ts"
import { isAnthropicStrictSchema } from "./strict-schema.ts"

export interface AnthropicRequestOptions extends SettingsOptions {
  readonly cache: "5m" | "1h" | "off"
  readonly strict: StrictTools
  readonly origin: Origin
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
  const usual = settingsFrom(options, options.parameters)
  const turnBytes = turnWriter(options.origin)
  const heads = new WeakMap<readonly OfferedTool[], Head<Settings>>()

  function settingsOf({ parameters, effort }: ModelRequest): Settings {
    return parameters === undefined && effort === undefined
      ? usual
      : requestSettings(options, parameters, effort)
  }

  function headOf(request: ModelRequest): Head<Settings> {
    const { system, tools, parameters, effort } = request
    const known = heads.get(tools)
    if (known?.system === system && known.parameters === parameters && known.effort === effort) return known
    const settings = settingsOf(request)
    const offered =
      tools.length === 0 ? "" : `${settings.withTools},"tools":${toolsText(tools, mark, options.strict)}`
    const bytes = Buffer.from(`{${settings.plain}${offered}${systemText(system, mark)},"messages":[`)
    const head = { system, parameters, effort, settings, bytes }
    heads.set(tools, head)
    return head
  }

  function withdrawnHead(
    request: ModelRequest,
    called: ReadonlySet<string>,
  ): Pick<Head<Settings>, "settings" | "bytes"> {
    const settings = settingsOf(request)
    const tools = withdrawn(called, mark)
    const bytes = Buffer.from(`{${settings.plain}${tools}${systemText(request.system, mark)},"messages":[`)
    return { settings, bytes }
  }

  return (request) => {
    const { tools, messages, maxOutputTokens } = request
    const called = tools.length === 0 ? namesOf(messages) : noNames
    const { settings, bytes } = called.size === 0 ? headOf(request) : withdrawnHead(request, called)
    const bound = Math.min(settings.limit, maxOutputTokens ?? Number.POSITIVE_INFINITY)
    const turns = new Turns(bytes, (message) => turnBytes(message, request))
    turns.add(messages)
    const isRefused = turns.isWithoutThinking && settings.thinking.type === "enabled"
    const thinking = isRefused ? "" : thinkingParameter(settings.thinking, bound)
    return turns.end(mark, Buffer.from(`],"max_tokens":${bound}${thinking}}`))
  }
}

/**
 * Other servers may refuse the word. Of Anthropic's own models those since 4.5 take it (platform.claude.com and the
 * table of models in `@earendil-works/pi-ai` 1.5.0, 2026-11).
 */
export function anthropicStrict(model: string, baseUrl: string | undefined): StrictRules {
  const isOwn = [undefined, "api.anthropic.com"].includes(hostOf(baseUrl))
  const isRecent = /^claude-[a-z]+-(4-[5-9]|[5-9])(-|$)/.test(model)
  return { support: isOwn && isRecent ? "known" : "unknown", takes: isAnthropicStrictSchema }
}

const markOf = (cache: AnthropicRequestOptions["cache"]): string =>
  cache === "off" ? "" : `,"cache_control":{"type":"ephemeral"${cache === "1h" ? ',"ttl":"1h"' : ""}}`

const systemText = (system: string, mark: string): string =>
  system.trim() === "" ? "" : `,"system":[{"type":"text","text":${quoted(system)}${mark}}]`

function toolsText(tools: readonly OfferedTool[], mark: string, strict?: StrictTools): string {
  const texts = tools.map((tool) => {
    const said = tool.description === "" ? "" : `"description":${quoted(tool.description)},`
    const held = strict?.has(tool) ? ',"strict":true' : ""
    return `{"name":${quoted(tool.name)},${said}"input_schema":${JSON.stringify(tool.input)}${held}`
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
  private readonly turnBytes: (message: Message) => Buffer
  private role: "user" | "assistant" | undefined
  private lastUserPart = -1
  private earlierUserPart = -1
  /** How the first reply since the user spoke begins. */
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

  /** A turn with calls that began without thinking, such as another provider's, has to end without: else it is refused. */
  get isWithoutThinking(): boolean {
    return this.opening === "other"
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
      this.push("user", result ? this.turnBytes(result) : missingResult(calls[index]!))
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

function beginsWithThinking(turn: Buffer): boolean {
  const from = turnOf.assistant.length
  return /^\{"type":"(?:redacted_)?thinking"/.test(turn.toString("utf8", from, from + 30))
}

const noCalls: readonly Call[] = []
const comma = Buffer.from(",")
const endOfTurn = Buffer.from("]}")
const endOfOther = "]},"
