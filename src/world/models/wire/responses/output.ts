import type { Delta } from "../../../../agent/model.ts"
import type { Json } from "../../../../ground/message.ts"
import { fields, textOf } from "../json.ts"
import { betweenTexts } from "./layout.ts"

/** One item of a response's output, as far as it came. */
export type Item =
  | Reasoning
  | { readonly type: "message"; text: string; phase: string }
  | { readonly type: "call"; id: string; name: string; arguments: string; ended: boolean }
  /** Of a type this client does not offer, such as a tool the provider runs itself. */
  | { readonly type: "other" }

interface Reasoning {
  readonly type: "reasoning"
  summary: readonly Json[]
  content: readonly Json[]
  sealed: string
  /** What was told of it. */
  told: string
}

/** The items of a response, in their order. Text and reasoning are told as they come. */
export class OutputItems {
  refusal = ""
  private readonly onDelta: (delta: Delta) => void
  private readonly byIndex: (Entry | undefined)[] = []
  private hasText = false

  constructor(onDelta: (delta: Delta) => void) {
    this.onDelta = onDelta
  }

  get items(): readonly Item[] {
    const items: Item[] = []
    for (const entry of this.byIndex) if (entry) items.push(entry.item)
    return items
  }

  /** Whether no call lacks its end. */
  get areWhole(): boolean {
    for (const entry of this.byIndex) if (entry?.item.type === "call" && !entry.item.ended) return false
    return true
  }

  /** One event of a stream that is about an item. Others, and those of new types, change nothing. */
  addEvent(event: Record<string, unknown>): void {
    const index = indexOf(event.output_index)
    if (index === undefined) return
    switch (event.type) {
      case "response.output_item.added":
        this.byIndex[index] = { item: emptyItem(fields(event.item)), part: -1, isDone: false }
        return
      case "response.output_item.done":
        this.takeWhole(index, fields(event.item))
        return
      case "response.refusal.delta":
        this.refusal += textOf(event.delta)
        return
    }
    this.byIndex[index] ??= begunBy(event.type)
    const entry = this.byIndex[index]
    if (entry) this.extend(entry, event)
  }

  /** The output as the end of a response repeats it. Some servers send only that, others nothing there. */
  addOutput(output: unknown): void {
    if (!Array.isArray(output)) return
    for (let index = 0; index < output.length; index++)
      if (!this.byIndex[index]?.isDone) this.takeWhole(index, fields(output[index]))
  }

  private extend(entry: Entry, event: Record<string, unknown>): void {
    const { item } = entry
    const delta = textOf(event.delta)
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
        item.arguments = textOf(event.arguments) || item.arguments
        item.ended = true
        return
    }
  }

  /** An item as it is in the end. What was not told of it is told now. */
  private takeWhole(index: number, given: Record<string, unknown>): void {
    this.byIndex[index] ??= { item: emptyItem(given), part: -1, isDone: false }
    const entry = this.byIndex[index]
    const { item } = entry
    entry.isDone = true
    switch (item.type) {
      case "message": {
        const [text, refusal] = contentOf(given.content)
        if (text.startsWith(item.text)) this.say(item, text.slice(item.text.length))
        item.phase = textOf(given.phase)
        // Streamed, it came in parts before.
        if (!this.refusal.endsWith(refusal)) this.refusal += refusal
        return
      }
      case "reasoning": {
        item.summary = listOf(given.summary)
        item.content = listOf(given.content)
        item.sealed = textOf(given.encrypted_content)
        const texts = [...item.summary, ...item.content].map((part) => textOf(fields(part).text))
        const told = texts.filter((text) => text !== "").join(betweenTexts)
        if (told.startsWith(item.told)) this.think(item, told.slice(item.told.length))
        return
      }
      case "call":
        item.id = textOf(given.call_id) || item.id
        item.name = textOf(given.name) || item.name
        item.arguments = argumentsOf(given.arguments) || item.arguments
        item.ended = given.status !== "incomplete"
        return
    }
  }

  private say(item: Extract<Item, { type: "message" }>, text: string): void {
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
  readonly item: Item
  /** Which part of its reasoning was told last. */
  part: number
  isDone: boolean
}

/** More items than any answer has would be an array that is mostly holes. */
const indexOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 10_000 ? value : undefined

/** Some servers send the parts of an item and never say that it begins. */
function begunBy(event: unknown): Entry | undefined {
  const type =
    event === "response.output_text.delta"
      ? "message"
      : event === "response.reasoning_text.delta" || event === "response.reasoning_summary_text.delta"
        ? "reasoning"
        : undefined
  return type && { item: emptyItem({ type }), part: -1, isDone: false }
}

function emptyItem(given: Record<string, unknown>): Item {
  switch (given.type) {
    case "reasoning":
      return { type: "reasoning", summary: [], content: [], sealed: "", told: "" }
    case "message":
      return { type: "message", text: "", phase: "" }
    case "function_call":
      return {
        type: "call",
        id: textOf(given.call_id),
        name: textOf(given.name),
        arguments: "",
        ended: false,
      }
    default:
      return { type: "other" }
  }
}

/** The text of a message, and what it says where it refuses. */
function contentOf(content: unknown): readonly [string, string] {
  let [text, refusal] = [textOf(content), ""]
  for (const part of listOf(content)) {
    text += textOf(fields(part).text)
    refusal += textOf(fields(part).refusal)
  }
  return [text, refusal]
}

const argumentsOf = (given: unknown): string =>
  typeof given === "string" ? given : given ? JSON.stringify(given) : ""

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : [])
