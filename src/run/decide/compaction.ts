import { estimateAttachmentTokens } from "../../agent/attachments/tokens.ts"
import type { Attachment, Message } from "../../ground/message.ts"
import type { CompactionEnd } from "../log/event.ts"
import { listMessageAttachments } from "../log/hidden-attachments.ts"
import { SharedList } from "../log/list.ts"
import { describeRemovedAttachments, describeRemovedResult, writeSummaryMessage } from "../words/prompt.ts"
import { boundText } from "../words/text.ts"

/** A plan for making a history shorter. */
export interface Compaction {
  readonly results: CompactionEnd["results"]
  /** The number of messages after the first that a summary replaces; 0 where no summary is needed. */
  readonly summarise: number
}

/** The characters of history that fit into each token of a model's window, with room left to go on. */
export const charactersPerToken = 2

/** Results up to this length stay, because the note in their place would be as long. */
const shortResult = 400

/**
 * Plans to halve a history, or to fit it into `target` characters where that is less. Old tool results go first, then
 * those of the last turn. Then a summary replaces the messages before the last turn. Undefined if nothing can go.
 */
export function planCompaction(messages: Iterable<Message>, target?: number): Compaction | undefined {
  const all = [...messages]
  const total = sum(all.map(lengthOf))
  const goal = Math.min(total / 2, target ?? Number.POSITIVE_INFINITY)
  const lastTurn = recentFrom(all)
  const removals = all.slice(0, lastTurn).filter(isLong).map(remove)
  let remaining = total - countSaved(all, removals)
  const cuts = remaining > goal ? cutTo(all.slice(lastTurn).filter(isLong), goal / 2) : []
  remaining -= countSaved(all, cuts)
  const summarise = remaining > goal && lastTurn > 2 ? lastTurn - 1 : 0
  const results = [...removals, ...cuts]
  return results.length + summarise > 0 ? { results, summarise } : undefined
}

/** Applies a compaction to a history. */
export function shortenHistory(
  messages: SharedList<Message>,
  { results, summary }: CompactionEnd,
): SharedList<Message> {
  const texts = new Map(results.map(({ call, text }) => [call, text]))
  const all = [...messages].map((message) =>
    message.role === "tool" && texts.has(message.call)
      ? { ...withoutAttachments(message), text: texts.get(message.call)! }
      : message,
  )
  if (!summary) return SharedList.of(all)
  const [first, ...rest] = all
  return SharedList.of([
    first!,
    { role: "user", text: writeSummaryMessage(summary.text) },
    ...rest.slice(summary.replaces),
  ])
}

const withoutAttachments = ({ attachments: _, ...rest }: Result): Result => rest

/** The messages to be summarised as one text, with their shortened results. */
export function writeTranscript(
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

/** The index at which the last turn begins: the last message of the assistant. */
function recentFrom(all: readonly Message[]): number {
  const last = all.findLastIndex(({ role }) => role === "assistant")
  return last < 0 ? all.length : last
}

const remove = ({ call, text, attachments = [] }: Result) => ({
  call,
  text:
    text.length > shortResult
      ? describeRemovedResult(text.length, attachments.length)
      : withRemoved(text, attachments),
})

const withRemoved = (text: string, attachments: readonly Attachment[] = []): string =>
  attachments.length === 0
    ? text
    : `${text}\n${describeRemovedAttachments(attachments.map(({ name }) => name))}`

/** Cuts every result that is longer than its equal share of the room. */
function cutTo(results: readonly Result[], room: number): CompactionEnd["results"] {
  const share = Math.max(shortResult, Math.floor(room / Math.max(1, results.length)))
  return results
    .filter(({ text, attachments }) => text.length > share || attachments)
    .map(({ call, text, attachments }) => ({
      call,
      text: withRemoved(boundText(text, share).text, attachments),
    }))
}

function countSaved(all: readonly Message[], results: CompactionEnd["results"]): number {
  const texts = new Map(results.map(({ call, text }) => [call, text.length]))
  return sum(
    all.map((message) =>
      message.role === "tool" && texts.has(message.call) ? lengthOf(message) - texts.get(message.call)! : 0,
    ),
  )
}

function lengthOf(message: Message): number {
  if (message.role !== "assistant")
    return (
      message.text.length +
      charactersPerToken * sum(listMessageAttachments(message).map(estimateAttachmentTokens))
    )
  return message.text.length + sum(message.calls.map((call) => call.arguments.length))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
