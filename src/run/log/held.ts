import type { Model } from "../../agent/model.ts"
import { type Attachment, isMap, type Json, type Message } from "../../ground/message.ts"
import { type LeftOut, leftOut, unseenNote } from "./left-out.ts"
import { List } from "./list.ts"
import type { Store } from "./store.ts"

/** What a reply left for its provider alone, as the log names it: a blob, which nothing shows and nothing changes. */
export interface KeptData {
  readonly blob: string
  /** In bytes. */
  readonly size: number
  /** The run in whose tree the blob is, where that is another's. */
  readonly run?: string
}

export const isKept = (provider: Json | undefined): provider is Json & KeptData =>
  isMap(provider) && typeof provider.blob === "string" && typeof provider.size === "number"

type Reply = Extract<Message, { role: "assistant" }>

const nothingLeftOut: LeftOut = new Map()

/** The blobs that a history names, in memory: what of them a model is handed, and nobody else. */
export class Held {
  readonly #data = new Map<string, Json>()
  readonly #content = new Map<string, string>()
  readonly #messages = new WeakMap<Message, Message>()
  #last: { readonly messages: List<Message>; readonly whole: List<Message> } | undefined
  /** By what is left out of them. */
  readonly #shown = new WeakMap<Message, Map<string, Message>>()
  #hasAttachments = false

  /** Reads what a history names. What is gone from the store is left out. */
  static async of(store: Store, run: string, messages: List<Message>): Promise<Held | undefined> {
    let held: Held | undefined
    for (const message of messages) {
      if (message.role === "assistant" ? !isKept(message.provider) : !message.attachments) continue
      held ??= new Held()
      await held.#read(store, run, message)
    }
    return held
  }

  /** Takes in what was kept just now. */
  add(kept: KeptData, data: Json): void {
    this.#data.set(kept.blob, data)
  }

  addContent({ blob }: Attachment, content: string): void {
    this.#content.set(blob, content)
    this.#hasAttachments = true
  }

  readonly contentOf = ({ blob }: Attachment): string | undefined => this.#content.get(blob)

  /** What of a history a model is not shown. */
  leftOut(messages: List<Message>, model: Model): LeftOut {
    return this.#hasAttachments ? leftOut(messages, model, this.contentOf) : nothingLeftOut
  }

  /** The history as a model gets it; the same message is the same object every time, for what it writes is kept by it. */
  messagesOf(
    messages: List<Message>,
    left: LeftOut = nothingLeftOut,
  ): Iterable<Message> & { readonly length: number } {
    const whole = this.#wholeOf(messages)
    return left.size === 0 ? whole : Array.from(whole, (message) => this.#without(message, left))
  }

  /** It grows with the history: a turn costs what is new in it. */
  #wholeOf(messages: List<Message>): List<Message> {
    const isLater = this.#last !== undefined && messages.continues(this.#last.messages)
    let whole = isLater ? this.#last!.whole : List.empty<Message>()
    for (let index = whole.length; index < messages.length; index++)
      whole = whole.append(this.#whole(messages.at(index)!))
    this.#last = { messages, whole }
    return whole
  }

  #whole(message: Message): Message {
    if (message.role !== "assistant" || !isKept(message.provider)) return message
    const known = this.#messages.get(message)
    if (known) return known
    const { provider, ...rest } = message as Reply & { readonly provider: KeptData }
    const data = this.#data.get(provider.blob)
    const made: Message = data === undefined ? rest : { ...rest, provider: data }
    this.#messages.set(message, made)
    return made
  }

  /** What is not shown is told of in the text. */
  #without(message: Message, left: LeftOut): Message {
    if (message.role === "assistant") return message
    const { attachments: all = [] } = message
    if (!all.some((one) => left.has(one))) return message
    const key = all.map((one) => left.get(one) ?? "shown").join(" ")
    const known = this.#shown.get(message)?.get(key)
    if (known) return known
    const notes = all.flatMap((one) => (left.has(one) ? [unseenNote(one, left.get(one)!)] : []))
    const { attachments: _, ...rest } = message
    const shown = all.filter((one) => !left.has(one))
    const made: Message = {
      ...rest,
      text: [message.text, ...notes].filter((text) => text !== "").join("\n"),
      ...(shown.length > 0 && { attachments: shown }),
    }
    this.#shown.set(message, (this.#shown.get(message) ?? new Map()).set(key, made))
    return made
  }

  async #read(store: Store, run: string, message: Message): Promise<void> {
    if (message.role === "assistant") {
      const { blob, run: other = run } = message.provider as Json & KeptData
      const text = this.#data.has(blob) ? undefined : await store.getBlob(other, blob)
      if (text !== undefined) this.#data.set(blob, JSON.parse(text))
      return
    }
    this.#hasAttachments = true
    for (const { blob, run: other = run } of message.attachments ?? []) {
      const content = this.#content.has(blob) ? undefined : await store.getBlob(other, blob)
      if (content !== undefined) this.#content.set(blob, content)
    }
  }
}

/** Calls are numbered and blobs are kept in each run: those of another must not be taken for its own. */
export function fromRun(message: Message, run: string): Message {
  switch (message.role) {
    case "user":
      return message.attachments ? { ...message, attachments: message.attachments.map(inTree(run)) } : message
    case "assistant":
      return {
        ...message,
        calls: message.calls.map((call) => ({ ...call, id: `${run}:${call.id}` })),
        ...(isKept(message.provider) && { provider: inTree(run)(message.provider) as Json & KeptData }),
      }
    case "tool":
      return {
        ...message,
        call: `${run}:${message.call}`,
        ...(message.attachments && { attachments: message.attachments.map(inTree(run)) }),
      }
  }
}

/** As another run names it. */
export const inTree =
  (run: string) =>
  <Blob extends { readonly run?: string }>(blob: Blob): Blob =>
    blob.run === undefined ? { ...blob, run } : blob
