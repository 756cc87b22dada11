import type { ModelError, ModelRequest } from "../../../../agent/model.ts"
import { appendSentence } from "../../../../ground/errors.ts"
import type { Message } from "../../../../ground/message.ts"

/**
 * Reasoning that only the provider can read. Because nothing is stored there, it must be requested and sent back. Parts
 * that the provider refuses are left out from then on.
 */
export class SealedReasoning {
  private readonly unreadable = new WeakSet<Message>()
  private isTaken: boolean

  constructor(model: string) {
    this.isTaken = !plainModels.test(model)
  }

  /** True if reasoning is requested. Models that do not reason refuse that. */
  get isAskedFor(): boolean {
    return this.isTaken
  }

  mayBeSent(message: Message): boolean {
    return !this.unreadable.has(message)
  }

  /**
   * Turns a refusal of sealed reasoning into a retryable error: the same request may succeed without it. Undefined: the
   * error is about something else.
   */
  refusal(error: ModelError, { messages }: ModelRequest): ModelError | undefined {
    if (error.kind !== "rejected" || !/encrypted[_ ]content/i.test(error.message)) return undefined
    const isUnreadable = /verified|decrypted/i.test(error.message)
    const isNews = isUnreadable ? this.forget(messages) : this.isTaken
    if (!isNews) return undefined
    if (!isUnreadable) this.isTaken = false
    return {
      ...error,
      message: appendSentence(error.message, "The request is repeated without it."),
      retryable: true,
    }
  }

  /** Marks the reasoning of all messages as unreadable. True: some of it is newly marked. */
  private forget(messages: Iterable<Message>): boolean {
    let isNew = false
    for (const message of messages) {
      if (message.role !== "assistant" || message.provider === undefined) continue
      if (this.unreadable.has(message)) continue
      this.unreadable.add(message)
      isNew = true
    }
    return isNew
  }
}

/** OpenAI's models that do not reason (developers.openai.com/api/docs/models, 2026-11). */
const plainModels = /^(?:ft:)?(?:gpt-3\.5|gpt-4|chatgpt-|gpt-5[.\d]*-chat|chat-latest)/
