import { describe, expect, test } from "vitest"
import type { ModelDelta, ModelReply } from "../../src/agent/model.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import { recordedChat } from "./recordings-chat.ts"
import {
  conversationsIn,
  type Exchange,
  messageIn,
  ownRecordings,
  type RecordedProtocol,
  recordings,
  replay,
  unbroken,
} from "./recordings-kit.ts"
import { recordedMessages } from "./recordings-messages.ts"
import { recordedResponses } from "./recordings-responses.ts"
import { runWhole } from "./recordings-run.ts"

const protocols: readonly RecordedProtocol[] = [recordedChat, recordedMessages, recordedResponses]

for (const protocol of protocols)
  describe.each([
    ["our own", ownRecordings],
    ["of real providers", recordings],
  ])(`exchanges in ${protocol.name}, %s`, (_, file) => {
    const conversations = conversationsIn(file, protocol.name).flatMap(unbroken)
    test.runIf(file === ownRecordings)("there are some", () => {
      expect(Math.max(...conversations.map(({ length }) => length))).toBeGreaterThan(1)
    })

    test
      .skipIf(conversations.length === 0)
      .each(conversations.map((exchanges) => [titleOf(exchanges), exchanges] as const))(
      "%s",
      async (_, exchanges) => {
        const whole = await replay(protocol, exchanges)
        for (const [index, exchange] of exchanges.entries()) {
          const { reply, deltas, sent } = whole[index]!
          if (reply.error) {
            const { kind, retryable, message } = reply.error
            expect([kind, retryable, reply.calls]).toEqual([...errorOf(protocol, exchange), []])
            if (exchange.status < 300) continue
            expect(message).toContain(messageIn(exchange.response))
            expect(reply.usage).toEqual({ inputTokens: 0, outputTokens: 0 })
            continue
          }
          const { provider: _, ...rest } = reply
          expect(rest).toEqual(protocol.expected(exchange))
          expect(toldIn(deltas, "text")).toBe(reply.text)
          if (index > 0)
            expect(protocol.items(sent, exchange.host)).toEqual(
              protocol.items(exchange.request, exchange.host),
            )
        }
        const cut = await replay(protocol, exchanges, 7)
        expect(cut.map(({ reply, deltas }) => [withoutPort(reply), toldIn(deltas, "reasoning")])).toEqual(
          whole.map(({ reply, deltas }) => [withoutPort(reply), toldIn(deltas, "reasoning")]),
        )
      },
    )

    test
      .skipIf(conversations.length === 0)
      .each(conversations.map((exchanges) => [titleOf(exchanges), exchanges] as const))(
      "as runs: %s",
      async (_, exchanges) => {
        const { outcomes, sent } = await runWhole(protocol, exchanges)
        expect(outcomes.at(-1)!.type).toBe(endOf((await replay(protocol, exchanges)).at(-1)!.reply))
        expect(sent.length).toBeGreaterThanOrEqual(exchanges.length)
        for (const [index, exchange] of exchanges.entries()) {
          const wanted = protocol.items(exchange.request, exchange.host).flatMap(thoughtsIn)
          const given = protocol.items(sent[index]!, exchange.host).flatMap(thoughtsIn)
          if (index > 0) expect(given).toEqual(expect.arrayContaining([...wanted]))
        }
      },
    )
  })

/** What a run must end as whose last answer is this one; what passes is asked again, and answered. */
function endOf({ error, stop }: ModelReply): string {
  if (error) return error.retryable ? "completed" : "failed"
  return stop === "length" ? "limit" : "completed"
}

/** What only its provider reads of an item. */
const thoughtsIn = (item: JsonMap): readonly JsonMap[] => {
  const { reasoning_content, reasoning, reasoning_details, thinking, signature, data, encrypted_content } =
    item
  const kept = { reasoning_content, reasoning, reasoning_details, signature, data, encrypted_content }
  const told = Object.entries({ ...kept, ...(signature !== undefined && { thinking }) }).filter(
    ([, value]) => value !== undefined,
  )
  return told.length === 0 ? [] : [Object.fromEntries(told) as JsonMap]
}

function errorOf(protocol: RecordedProtocol, exchange: Exchange): readonly [string, boolean] {
  if (exchange.status === 429) return ["rate-limit", true]
  return protocol.error?.(exchange) ?? ["rejected", false]
}

const titleOf = (exchanges: readonly Exchange[]): string => {
  const [{ source, index, stream, host }] = exchanges as [Exchange]
  const name = source.replace(/^.*\//, "").replace(/\.yaml$/, "")
  return `${name} from ${index}, ${exchanges.length} of ${host} as ${stream ? "a stream" : "JSON"}`
}

const toldIn = (deltas: readonly ModelDelta[], type: ModelDelta["type"]): string =>
  deltas.map((delta) => (delta.type === type ? delta.text : "")).join("")

/** Each replay has a server of its own. */
const withoutPort = (reply: object): unknown =>
  JSON.parse(JSON.stringify(reply).replaceAll(/127\.0\.0\.1:\d+/g, "host"))
