import type { ModelRequest } from "../../../agent/model.ts"
import type { Attachment, Call, Json, Message } from "../../../ground/message.ts"
import { fields, objectText } from "../wire/json.ts"
import type { Parameters } from "../wire/parameters.ts"
import type { StrictTools } from "../wire/strict-tools.ts"
import { shortName } from "../wire/tool-name.ts"
import { attachmentParts } from "./attachment-parts.ts"
import type { AiSdkLanguageModel } from "./language-model.ts"
import { type KeptPart, layoutOf } from "./layout.ts"
import { settingsFrom, speaksResponses } from "./settings.ts"

interface Own {
  readonly parameters: Parameters
  readonly strict: StrictTools
}

/** A request as an AI SDK model is asked. Throws where a parameter is wrong. */
export function callOptions(model: AiSdkLanguageModel, request: ModelRequest, own: Own): object {
  const { system, tools } = request
  const { toolChoice, ...settings } = settingsFrom(model, request, own.parameters)
  return {
    prompt: [...systemPrompt(system), ...prompt(model, request)],
    ...settings,
    // Refused in a request that offers no tools, such as a run's closing turn.
    ...(tools.length > 0 && {
      tools: tools.map((tool) => ({
        type: "function",
        name: tool.name,
        description: tool.description.toWellFormed(),
        inputSchema: tool.input,
        ...strictness(model, own.strict.has(tool) ? "strict" : "loose"),
      })),
      ...(toolChoice !== undefined && { toolChoice }),
    }),
  }
}

/** Responses take a tool for strict that says nothing, and packages of version 3 say nothing for us (2026-11). */
function strictness(model: AiSdkLanguageModel, kind: "strict" | "loose"): object {
  if (kind === "strict") return { strict: true }
  return speaksResponses(model) && model.specificationVersion !== "v2" ? { strict: false } : {}
}

const systemPrompt = (system: string): readonly object[] =>
  system.trim() === "" ? [] : [{ role: "system", content: system.toWellFormed() }]

type Asking = Extract<Message, { role: "assistant" }>
type Result = Extract<Message, { role: "tool" }>

/** The results of all calls stand right after them, in their order, one each. */
function prompt(
  { provider, specificationVersion: version }: AiSdkLanguageModel,
  { messages, contentOf: content }: Pick<ModelRequest, "messages" | "contentOf">,
): readonly object[] {
  const partsOf = (attachments: readonly Attachment[] = []) => attachmentParts(attachments, content, version)
  const turns: object[] = []
  let calls: readonly Call[] = []
  let results: Result[] = []
  const answer = () => {
    if (calls.length > 0)
      turns.push({ role: "tool", content: calls.map((call) => resultPart(call, results)) })
    // Not in the results: some packages would write their base64 out as text there.
    for (const { tool, wire, attachments } of results)
      if (attachments) {
        const said = textPart(`What the tool ${tool} gives with its result (${wire}):`)
        turns.push({ role: "user", content: [said, ...partsOf(attachments)] })
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
      const said = message.text === "" && parts.length > 0 ? [] : [textPart(message.text || "(empty)")]
      turns.push({ role: "user", content: [...said, ...parts] })
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

function contentOf(provider: string, message: Asking): readonly object[] {
  let [characters, calls] = [0, 0]
  const content = layoutOf(provider, message).map((part) => {
    const said = part.options === undefined ? {} : { providerOptions: toldAgain(part, part.options) }
    switch (part.type) {
      case "reasoning":
        return { type: "reasoning", text: part.text.toWellFormed(), ...said }
      case "text": {
        characters += part.length
        const text = message.text.slice(characters - part.length, characters)
        // Text without a word in it is refused, unless it is there for what is said about it.
        return text.trim() === "" && part.options === undefined ? undefined : { ...textPart(text), ...said }
      }
      default:
        return { ...callPart(message.calls[calls++]!), ...said }
    }
  })
  return content.filter((part) => part !== undefined)
}

/**
 * OpenAI keeps no text and no call of a request that stores nothing, and packages of version 3 would name them by their
 * ids. Reasoning is sent whole, and its parts belong together by their id.
 */
function toldAgain({ type }: KeptPart, options: Json): Json {
  if (type === "reasoning") return options
  const entries = Object.entries(fields(options)).map(([provider, said]) => {
    if (provider !== "openai" && provider !== "azure") return [provider, said]
    const { itemId: _, ...kept } = fields(said)
    return [provider, kept]
  })
  return Object.fromEntries(entries)
}

const callPart = ({ wire, tool, arguments: text }: Call) => ({
  type: "tool-call",
  toolCallId: wire,
  toolName: shortName(tool),
  input: JSON.parse(objectText(text)) as Json,
})

/** Calls have a result each, or the provider refuses the history for ever. */
function resultPart({ wire, tool }: Call, results: readonly Result[]) {
  const result = results.find((given) => given.wire === wire)
  const value = result ? result.text.toWellFormed() : "No result was recorded for this call."
  const type = result && !result.isError ? "text" : "error-text"
  return { type: "tool-result", toolCallId: wire, toolName: shortName(tool), output: { type, value } }
}
