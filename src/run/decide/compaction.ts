import { attachmentTokens } from "../../agent/attachments/tokens.ts"
import type { Attachment, Message } from "../../ground/message.ts"
import type { CompactionEnd } from "../log/event.ts"
import { attachmentsOf } from "../log/left-out.ts"
import { List } from "../log/list.ts"
import { removedAttachments, removedResult, summaryMessage } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"

/** How a history is to be made shorter. */
export interface Compaction {
  readonly results: CompactionEnd["results"]
  /** How many messages after the first a summary is to take the place of; 0 where none is needed. */
  readonly summarise: number
}

/** Characters of history that a model takes for each token of its window, with room left to go on. */
export const charactersPerToken = 2

/** A result shorter than what would take its place stays. */
const shortResult = 400

/**
 * Makes a history about half as long, or fit `target` characters where that is less: old tool results first, then those
 * of the last turn, then a summary of everything before the last turn. Undefined where there is nothing to take away.
 */
export function planCompaction(messages: Iterable<Message>, target?: number): Compaction | undefined {
  const all = [...messages]
  const total = sum(all.map(lengthOf))
  const goal = Math.min(total / 2, target ?? Number.POSITIVE_INFINITY)
  const recent = recentFrom(all)
  const removed = all.slice(0, recent).filter(isLong).map(remove)
  let left = total - saved(all, removed)
  const cut = left > goal ? cutTo(all.slice(recent).filter(isLong), goal / 2) : []
  left -= saved(all, cut)
  const summarise = left > goal && recent > 2 ? recent - 1 : 0
  const results = [...removed, ...cut]
  return results.length + summarise > 0 ? { results, summarise } : undefined
}

/** The history with a compaction in effect. */
export function shortened(messages: List<Message>, { results, summary }: CompactionEnd): List<Message> {
  const texts = new Map(results.map(({ call, text }) => [call, text]))
  const all = [...messages].map((message) =>
    message.role === "tool" && texts.has(message.call)
      ? { ...withoutAttachments(message), text: texts.get(message.call)! }
      : message,
  )
  if (!summary) return List.of(all)
  const [first, ...rest] = all
  return List.of([
    first!,
    { role: "user", text: summaryMessage(summary.text) },
    ...rest.slice(summary.replaces),
  ])
}

const withoutAttachments = ({ attachments: _, ...rest }: Result): Result => rest

/** What a summary is made of, as one text; results as they are left. */
export function transcript(
  messages: Iterable<Message>,
  { results, summarise }: Compaction,
  longest: number,
): string {
  const texts = new Map(results.map(({ call, text }) => [call, text]))
  const parts = [...messages].slice(1, 1 + summarise).map((message) => {
    if (message.role === "user") return `User: ${withRemoved(message.text, message.attachments)}`
    if (message.role === "tool")
      return `Result of ${message.tool}: ${texts.get(message.call) ?? message.text}`
    const calls = message.calls.map((call) => `\nCalls ${call.tool} ${call.arguments}`)
    return `Assistant: ${message.text}${calls.join("")}`
  })
  const text = parts.join("\n\n")
  return text.length <= longest ? text : text.slice(text.length - longest).toWellFormed()
}

type Result = Extract<Message, { role: "tool" }>

const isLong = (message: Message): message is Result =>
  message.role === "tool" && (message.text.length > shortResult || message.attachments !== undefined)

/** The last turn begins with the last message of the assistant; what has followed it belongs to it. */
function recentFrom(all: readonly Message[]): number {
  const last = all.findLastIndex(({ role }) => role === "assistant")
  return last < 0 ? all.length : last
}

const remove = ({ call, text, attachments = [] }: Result) => ({
  call,
  text:
    text.length > shortResult
      ? removedResult(text.length, attachments.length)
      : withRemoved(text, attachments),
})

const withRemoved = (text: string, attachments: readonly Attachment[] = []): string =>
  attachments.length === 0 ? text : `${text}\n${removedAttachments(attachments.map(({ name }) => name))}`

/** Each to the same share of the room there is, where it is longer. */
function cutTo(results: readonly Result[], room: number): CompactionEnd["results"] {
  const share = Math.max(shortResult, Math.floor(room / Math.max(1, results.length)))
  return results
    .filter(({ text, attachments }) => text.length > share || attachments)
    .map(({ call, text, attachments }) => ({
      call,
      text: withRemoved(boundText(text, share).text, attachments),
    }))
}

function saved(all: readonly Message[], results: CompactionEnd["results"]): number {
  const texts = new Map(results.map(({ call, text }) => [call, text.length]))
  return sum(
    all.map((message) =>
      message.role === "tool" && texts.has(message.call) ? lengthOf(message) - texts.get(message.call)! : 0,
    ),
  )
}

function lengthOf(message: Message): number {
  if (message.role !== "assistant")
    return message.text.length + charactersPerToken * sum(attachmentsOf(message).map(attachmentTokens))
  return message.text.length + sum(message.calls.map((call) => call.arguments.length))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
