import type { ModelRequest } from "../../../agent/model.ts"
import type { Attachment, Json, Message, ToolCall } from "../../../ground/message.ts"
import { readFields, toObjectText } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import type { StrictTools } from "../wire/strict-tools.ts"
import { toShortName } from "../wire/tool-name.ts"
import { writeAttachmentParts } from "./attachment-parts.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import { type KeptPart, readAiSdkLayout } from "./layout.ts"
import { readAiSdkSettings, speaksResponses } from "./settings.ts"

interface ClientSettings {
  readonly parameters: Parameters
  readonly strict: StrictTools
}

/** Makes the options of a request to an AI SDK model. Throws if a parameter is invalid. */
export function writeCallOptions(
  model: AiSdkLanguageModel,
  request: ModelRequest,
  clientSettings: ClientSettings,
): object {
  const { system, tools } = request
  const { toolChoice, ...settings } = readAiSdkSettings(model, request, clientSettings.parameters)
  return {
    prompt: [...systemPrompt(system), ...prompt(model, request)],
    ...settings,
    // Providers refuse this without tools, as in a run's closing turn.
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: "function",
        name: tool.name,
        description: tool.description.toWellFormed(),
        inputSchema: tool.input,
        ...strictness(model, clientSettings.strict.has(tool) ? "strict" : "loose"),
      })),
      ...(toolChoice !== undefined && { toolChoice }),
    }),
  }
}

/**
 * The responses protocol treats a tool without `strict` as strict, and packages of version 3 do not set it (2026-11).
 */
function strictness(model: AiSdkLanguageModel, kind: "strict" | "loose"): object {
  if (kind === "strict") return { strict: true }
  return speaksResponses(model) && model.specificationVersion !== "v2" ? { strict: false } : {}
}

const systemPrompt = (system: string): readonly object[] =>
  system.trim() === "" ? [] : [{ role: "system", content: system.toWellFormed() }]

type Reply = Extract<Message, { role: "assistant" }>
type Result = Extract<Message, { role: "tool" }>

/** Each call has exactly one result, directly after the calls and in their order. */
function prompt(
  { provider, specificationVersion: version }: AiSdkLanguageModel,
  { messages, contentOf: content }: Pick<ModelRequest, "messages" | "contentOf">,
): readonly object[] {
  const partsOf = (attachments: readonly Attachment[] = []) =>
    writeAttachmentParts(attachments, content, version)
  const turns: object[] = []
  let calls: readonly ToolCall[] = []
  let results: Result[] = []
  const answer = () => {
    if (calls.length > 0)
      turns.push({ role: "tool", content: calls.map((call) => resultPart(call, results)) })
    // Attachments do not go into the results, because some packages would write their base64 as text.
    for (const { tool, wire, attachments } of results)
      if (attachments) {
        const introduction = textPart(`Attachments of the result of the tool ${tool} (${wire}):`)
        turns.push({ role: "user", content: [introduction, ...partsOf(attachments)] })
      }
    calls = []
    results = []
  }
  for (const message of messages) {
    if (message.role === "tool") {
      results.push(message)
      continue
    }
    answer()
    if (message.role === "user") {
      const parts = partsOf(message.attachments)
      const textParts = message.text === "" && parts.length > 0 ? [] : [textPart(message.text || "(empty)")]
      turns.push({ role: "user", content: [...textParts, ...parts] })
    } else {
      const content = contentOf(provider, message)
      if (content.length > 0) turns.push({ role: "assistant", content })
      calls = message.calls
    }
  }
  answer()
  return turns
}

const textPart = (text: string) => ({ type: "text", text: text.toWellFormed() })

function contentOf(provider: string, message: Reply): readonly object[] {
  let [characters, calls] = [0, 0]
  const content = readAiSdkLayout(provider, message).map((part) => {
    const metadata =
      part.options === undefined ? {} : { providerOptions: repeatedOptions(part, part.options) }
    switch (part.type) {
      case "reasoning":
        return { type: "reasoning", text: part.text.toWellFormed(), ...metadata }
      case "text": {
        characters += part.length
        const text = message.text.slice(characters - part.length, characters)
        // Providers refuse blank text, unless it carries metadata.
        return text.trim() === "" && part.options === undefined
          ? undefined
          : { ...textPart(text), ...metadata }
      }
      default:
        return { ...callPart(message.calls[calls++]!), ...metadata }
    }
  })
  return content.filter((part) => part !== undefined)
}

/**
 * Removes ids that OpenAI cannot resolve. Without storage OpenAI has no texts and calls to refer to, and packages of
 * version 3 would refer to them by id. Reasoning is sent whole, and its parts belong together by their id.
 */
function repeatedOptions({ type }: KeptPart, options: Json): Json {
  if (type === "reasoning") return options
  const entries = Object.entries(readFields(options)).map(([provider, values]) => {
    if (provider !== "openai" && provider !== "azure") return [provider, values]
    const { itemId: _, ...rest } = readFields(values)
    return [provider, rest]
  })
  return Object.fromEntries(entries)
}

const callPart = ({ wire, tool, arguments: text }: ToolCall) => ({
  type: "tool-call",
  toolCallId: wire,
  toolName: toShortName(tool),
  input: JSON.parse(toObjectText(text)) as Json,
})

/** Each call needs a result, or the provider refuses the history for ever. */
function resultPart({ wire, tool }: ToolCall, results: readonly Result[]) {
  const result = results.find((other) => other.wire === wire)
  const value = result ? result.text.toWellFormed() : "No result was recorded for this call."
  const type = result && !result.isError ? "text" : "error-text"
  return { type: "tool-result", toolCallId: wire, toolName: toShortName(tool), output: { type, value } }
}
