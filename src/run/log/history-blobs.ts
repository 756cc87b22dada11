import type { Model } from "../../agent/model.ts"
import { type Attachment, isMap, type Json, type Message } from "../../ground/message.ts"
import { findHiddenAttachments, type HiddenAttachments, writeUnseenNote } from "./hidden-attachments.ts"
import { SharedList } from "./list.ts"
import type { Store } from "./store.ts"

/**
 * Data of a reply that is meant for its provider alone, as a reference to a blob. It is never shown and never
 * changed.
 */
export interface ProviderDataReference {
  readonly blob: string
  /** The size in bytes. */
  readonly size: number
  /** The run in whose tree the blob is, if that is another tree. */
  readonly run?: string
}

export const isProviderDataReference = (
  provider: Json | undefined,
): provider is Json & ProviderDataReference =>
  isMap(provider) && typeof provider.blob === "string" && typeof provider.size === "number"

type Reply = Extract<Message, { role: "assistant" }>

const nothingLeftOut: HiddenAttachments = new Map()

/** The blobs that a history names, in memory, for requests to the model only. */
export class HistoryBlobs {
  readonly #data = new Map<string, Json>()
  readonly #content = new Map<string, string>()
  readonly #messages = new WeakMap<Message, Message>()
  #last: { readonly messages: SharedList<Message>; readonly whole: SharedList<Message> } | undefined
  /** Messages without some attachments, by the attachments that they lack. */
  readonly #withoutHidden = new WeakMap<Message, Map<string, Message>>()
  #hasAttachments = false

  /** Reads the blobs that a history names. Blobs that are gone from the store are left out. */
  static async of(
    store: Store,
    run: string,
    messages: SharedList<Message>,
  ): Promise<HistoryBlobs | undefined> {
    let blobs: HistoryBlobs | undefined
    for (const message of messages) {
      if (message.role === "assistant" ? !isProviderDataReference(message.provider) : !message.attachments)
        continue
      blobs ??= new HistoryBlobs()
      await blobs.#read(store, run, message)
    }
    return blobs
  }

  /** Adds data that was just stored. */
  add(reference: ProviderDataReference, data: Json): void {
    this.#data.set(reference.blob, data)
  }

  addContent({ blob }: Attachment, content: string): void {
    this.#content.set(blob, content)
    this.#hasAttachments = true
  }

  readonly contentOf = ({ blob }: Attachment): string | undefined => this.#content.get(blob)

  /** The attachments of a history that a model is not shown. */
  findHidden(messages: SharedList<Message>, model: Model): HiddenAttachments {
    return this.#hasAttachments ? findHiddenAttachments(messages, model, this.contentOf) : nothingLeftOut
  }

  /**
   * The history as a model gets it. The same message is always the same object, because clients cache by it.
   */
  messagesOf(
    messages: SharedList<Message>,
    hidden: HiddenAttachments = nothingLeftOut,
  ): Iterable<Message> & { readonly length: number } {
    const whole = this.#wholeOf(messages)
    return hidden.size === 0 ? whole : Array.from(whole, (message) => this.#without(message, hidden))
  }

  /** Extends the result of the last turn, so that a turn costs only its new messages. */
  #wholeOf(messages: SharedList<Message>): SharedList<Message> {
    const isLater = this.#last !== undefined && messages.continues(this.#last.messages)
    let whole = isLater ? this.#last!.whole : SharedList.empty<Message>()
    for (let index = whole.length; index < messages.length; index++)
      whole = whole.append(this.#whole(messages.at(index)!))
    this.#last = { messages, whole }
    return whole
  }

  #whole(message: Message): Message {
    if (message.role !== "assistant" || !isProviderDataReference(message.provider)) return message
    const cached = this.#messages.get(message)
    if (cached) return cached
    const { provider, ...rest } = message as Reply & { readonly provider: ProviderDataReference }
    const data = this.#data.get(provider.blob)
    const complete: Message = data === undefined ? rest : { ...rest, provider: data }
    this.#messages.set(message, complete)
    return complete
  }

  /** Replaces hidden attachments by notes in the text. */
  #without(message: Message, hidden: HiddenAttachments): Message {
    if (message.role === "assistant") return message
    const { attachments: all = [] } = message
    if (!all.some((one) => hidden.has(one))) return message
    const key = all.map((one) => hidden.get(one) ?? "shown").join(" ")
    const cached = this.#withoutHidden.get(message)?.get(key)
    if (cached) return cached
    const notes = all.flatMap((one) => (hidden.has(one) ? [writeUnseenNote(one, hidden.get(one)!)] : []))
    const { attachments: _, ...rest } = message
    const visible = all.filter((one) => !hidden.has(one))
    const copy: Message = {
      ...rest,
      text: [message.text, ...notes].filter((text) => text !== "").join("\n"),
      ...(visible.length > 0 && { attachments: visible }),
    }
    this.#withoutHidden.set(message, (this.#withoutHidden.get(message) ?? new Map()).set(key, copy))
    return copy
  }

  async #read(store: Store, run: string, message: Message): Promise<void> {
    if (message.role === "assistant") {
      const { blob, run: other = run } = message.provider as Json & ProviderDataReference
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

/**
 * Makes the call ids and blob references of a message usable in another run, where the same names mean other
 * things.
 */
export function qualifyMessage(message: Message, run: string): Message {
  switch (message.role) {
    case "user":
      return message.attachments
        ? { ...message, attachments: message.attachments.map(withTreeOf(run)) }
        : message
    case "assistant":
      return {
        ...message,
        calls: message.calls.map((call) => ({ ...call, id: `${run}:${call.id}` })),
        ...(isProviderDataReference(message.provider) && {
          provider: withTreeOf(run)(message.provider) as Json & ProviderDataReference,
        }),
      }
    case "tool":
      return {
        ...message,
        call: `${run}:${message.call}`,
        ...(message.attachments && { attachments: message.attachments.map(withTreeOf(run)) }),
      }
  }
}

/** Names the tree of a blob, for use in another tree. */
export const withTreeOf =
  (run: string) =>
  <Blob extends { readonly run?: string }>(blob: Blob): Blob =>
    blob.run === undefined ? { ...blob, run } : blob
