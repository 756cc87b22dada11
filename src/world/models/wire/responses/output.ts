import type { ModelDelta } from "../../../../agent/model.ts"
import type { Json } from "../../../../ground/message.ts"
import { readFields, toStringOrEmpty } from "../json.ts"
import { betweenTexts } from "./layout.ts"

/** One item of a response's output. It may have arrived only in part. */
export type OutputItem =
  | Reasoning
  | { readonly type: "message"; text: string; phase: string }
  | { readonly type: "call"; id: string; name: string; arguments: string; ended: boolean }
  /** An item of a type that this client does not use, such as a tool that the provider runs itself. */
  | { readonly type: "other" }

interface Reasoning {
  readonly type: "reasoning"
  summary: readonly Json[]
  content: readonly Json[]
  sealed: string
  /** The text that was already reported. */
  told: string
}

/** The items of a response, in their order. Text and reasoning are reported as they arrive. */
export class OutputItems {
  refusal = ""
  private readonly onDelta: (delta: ModelDelta) => void
  private readonly byIndex: (Entry | undefined)[] = []
  private hasText = false

  constructor(onDelta: (delta: ModelDelta) => void) {
    this.onDelta = onDelta
  }

  get items(): readonly OutputItem[] {
    const items: OutputItem[] = []
    for (const entry of this.byIndex) if (entry) items.push(entry.item)
    return items
  }

  /** True if every call is complete. */
  get areWhole(): boolean {
    for (const entry of this.byIndex) if (entry?.item.type === "call" && !entry.item.ended) return false
    return true
  }

  /** Adds one event about an item. Other events, and those of new types, change nothing. */
  addEvent(event: Record<string, unknown>): void {
    const index = indexOf(event.output_index)
    if (index === undefined) return
    switch (event.type) {
      case "response.output_item.added":
        this.byIndex[index] = { item: emptyItem(readFields(event.item)), part: -1, isDone: false }
        return
      case "response.output_item.done":
        this.takeWhole(index, readFields(event.item))
        return
      case "response.refusal.delta":
        this.refusal += toStringOrEmpty(event.delta)
        return
    }
    this.byIndex[index] ??= entryFor(event.type)
    const entry = this.byIndex[index]
    if (entry) this.extend(entry, event)
  }

  /** Adds the output that the end of a response repeats. Some servers send only that, others send nothing there. */
  addOutput(output: unknown): void {
    if (!Array.isArray(output)) return
    for (let index = 0; index < output.length; index++)
      if (!this.byIndex[index]?.isDone) this.takeWhole(index, readFields(output[index]))
  }

  private extend(entry: Entry, event: Record<string, unknown>): void {
    const { item } = entry
    const delta = toStringOrEmpty(event.delta)
    switch (event.type) {
      case "response.output_text.delta":
        if (item.type === "message") this.say(item, delta)
        return
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta": {
        if (item.type !== "reasoning") return
        const part = indexOf(event.summary_index ?? event.content_index) ?? 0
        const isNext = item.told !== "" && part !== entry.part
        entry.part = part
        this.think(item, isNext ? betweenTexts + delta : delta)
        return
      }
      case "response.function_call_arguments.delta":
        if (item.type === "call") item.arguments += delta
        return
      case "response.function_call_arguments.done":
        if (item.type !== "call") return
        item.arguments = toStringOrEmpty(event.arguments) || item.arguments
        item.ended = true
        return
    }
  }

  /** Adds a finished item. Text that was not reported yet is reported now. */
  private takeWhole(index: number, wholeItem: Record<string, unknown>): void {
    this.byIndex[index] ??= { item: emptyItem(wholeItem), part: -1, isDone: false }
    const entry = this.byIndex[index]
    const { item } = entry
    entry.isDone = true
    switch (item.type) {
      case "message": {
        const [text, refusal] = contentOf(wholeItem.content)
        if (text.startsWith(item.text)) this.say(item, text.slice(item.text.length))
        item.phase = toStringOrEmpty(wholeItem.phase)
        // In a stream the refusal has already come in parts.
        if (!this.refusal.endsWith(refusal)) this.refusal += refusal
        return
      }
      case "reasoning": {
        item.summary = listOf(wholeItem.summary)
        item.content = listOf(wholeItem.content)
        item.sealed = toStringOrEmpty(wholeItem.encrypted_content)
        const texts = [...item.summary, ...item.content].map((part) => toStringOrEmpty(readFields(part).text))
        const reasoningText = texts.filter((text) => text !== "").join(betweenTexts)
        if (reasoningText.startsWith(item.told)) this.think(item, reasoningText.slice(item.told.length))
        return
      }
      case "call":
        item.id = toStringOrEmpty(wholeItem.call_id) || item.id
        item.name = toStringOrEmpty(wholeItem.name) || item.name
        item.arguments = argumentsOf(wholeItem.arguments) || item.arguments
        item.ended = wholeItem.status !== "incomplete"
        return
    }
  }

  private say(item: Extract<OutputItem, { type: "message" }>, text: string): void {
    if (text === "") return
    const isNext = item.text === "" && this.hasText
    item.text += text
    this.hasText = true
    this.onDelta({ type: "text", text: isNext ? betweenTexts + text : text })
  }

  private think(item: Reasoning, text: string): void {
    if (text === "") return
    item.told += text
    this.onDelta({ type: "reasoning", text })
  }
}

interface Entry {
  readonly item: OutputItem
  /** The part of its reasoning that was reported last. */
  part: number
  isDone: boolean
}

/** Rejects absurd indexes, which would make the array mostly holes. */
const indexOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : undefined

/** Begins an item for servers that send its parts without announcing it. */
function entryFor(event: unknown): Entry | undefined {
  const type =
    event === "response.output_text.delta"
      ? "message"
      : event === "response.reasoning_text.delta" || event === "response.reasoning_summary_text.delta"
        ? "reasoning"
        : undefined
  return type && { item: emptyItem({ type }), part: -1, isDone: false }
}

function emptyItem(wholeItem: Record<string, unknown>): OutputItem {
  switch (wholeItem.type) {
    case "reasoning":
      return { type: "reasoning", summary: [], content: [], sealed: "", told: "" }
    case "message":
      return { type: "message", text: "", phase: "" }
    case "function_call":
      return {
        type: "call",
        id: toStringOrEmpty(wholeItem.call_id),
        name: toStringOrEmpty(wholeItem.name),
        arguments: "",
        ended: false,
      }
    default:
      return { type: "other" }
  }
}

/** The text of a message, and its refusal. */
function contentOf(content: unknown): readonly [string, string] {
  let [text, refusal] = [toStringOrEmpty(content), ""]
  for (const part of listOf(content)) {
    text += toStringOrEmpty(readFields(part).text)
    refusal += toStringOrEmpty(readFields(part).refusal)
  }
  return [text, refusal]
}

const argumentsOf = (wholeItem: unknown): string =>
  typeof wholeItem === "string" ? wholeItem : wholeItem ? JSON.stringify(wholeItem) : ""

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])
