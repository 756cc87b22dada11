import type { ModelError, ModelRequest } from "../../../../agent/model.ts"
import { followedBy } from "../../../../ground/errors.ts"
import type { Message } from "../../../../ground/message.ts"

/**
 * Reasoning that only the provider can read. Without it being stored there, it has to be asked for and sent back.
 * What the provider refuses of that is left out from then on.
 */
export class SealedReasoning {
  private readonly unreadable = new WeakSet<Message>()
  private isTaken: boolean

  constructor(model: string) {
    this.isTaken = !plainModels.test(model)
  }

  /** Whether to ask for it: models that do not reason refuse that. */
  get isAskedFor(): boolean {
    return this.isTaken
  }

  mayBeSent(message: Message): boolean {
    return !this.unreadable.has(message)
  }

  /** A refusal of it, as an error that passes: the same request without it may be taken. Else undefined. */
  refusal(error: ModelError, { messages }: ModelRequest): ModelError | undefined {
    if (error.kind !== "rejected" || !/encrypted[_ ]content/i.test(error.message)) return undefined
    const isUnreadable = /verified|decrypted/i.test(error.message)
    const isNews = isUnreadable ? this.forget(messages) : this.isTaken
    if (!isNews) return undefined
    if (!isUnreadable) this.isTaken = false
    return { ...error, message: followedBy(error.message, "It is asked again without it."), retryable: true }
  }

  /** Whether there was anything to forget. */
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
