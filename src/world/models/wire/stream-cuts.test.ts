import { expect, test } from "vitest"
import type { ModelDelta, ModelReply } from "../../../agent/model.ts"
import { type ScriptedAnswer, startModelServer } from "../../../faces/testing/model-server.ts"
import { AnthropicReply } from "./anthropic/reply.ts"
import type { ProtocolReply } from "./client.ts"
import { OpenAiReply } from "./openai/reply.ts"
import { findChatRules } from "./openai/rules.ts"
import { ResponsesReply } from "./responses/reply.ts"

const origin = { host: "host", model: "m" }
const rules = findChatRules(undefined, "http://host")

const answer: ScriptedAnswer = {
  reasoning: "日本 🙂",
  text: "naïve 🙂 text",
  calls: [
    { tool: "add", arguments: { a: "ü🙂" }, id: "one" },
    { tool: "add", arguments: '{ "b":2 }', id: "two" },
  ],
}
const messages = [{ role: "user", content: "Go" }]

const protocols = {
  openai: {
    path: "/chat/completions",
    body: { model: "m", messages, stream: true, stream_options: { include_usage: true } },
    open: (onDelta: (delta: ModelDelta) => void): ProtocolReply =>
      new OpenAiReply(onDelta, { origin, rules }),
  },
  anthropic: {
    path: "/messages",
    body: { model: "m", messages, stream: true, max_tokens: 100 },
    open: (onDelta: (delta: ModelDelta) => void): ProtocolReply => new AnthropicReply(onDelta, { origin }),
  },
  responses: {
    path: "/responses",
    body: { model: "m", input: messages, stream: true },
    open: (onDelta: (delta: ModelDelta) => void): ProtocolReply =>
      new ResponsesReply({ host: "host", model: "m" }, onDelta),
  },
}
type Name = keyof typeof protocols

/** The bytes of an answer, as the model server sends them. */
async function bytesOf(name: Name): Promise<Buffer> {
  const server = await startModelServer({ script: [answer] })
  const { path, body } = protocols[name]
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" }
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) })
  const bytes = Buffer.from(await response.arrayBuffer())
  await server.close()
  return bytes
}

interface Heard {
  readonly reply: ModelReply
  readonly text: string
}

function read(name: Name, pieces: readonly Buffer[]): Heard {
  let text = ""
  const reply = protocols[name].open((delta) => {
    text += `${delta.type}:${delta.text}|`
  })
  const body = reply.open("sse", "text/event-stream")
  for (const piece of pieces) body.push(piece)
  return { reply: reply.reply(body.end()), text }
}

test.each(["openai", "anthropic", "responses"] as const)(
  "68: %s chunked at every byte, inside characters and line ends too, gives the identical result",
  async (name) => {
    const sent = await bytesOf(name)
    for (const bytes of [sent, Buffer.from(sent.toString().replaceAll("\n", "\r\n"))]) {
      const whole = read(name, [bytes])
      expect(whole.reply).toMatchObject({ text: answer.text, stop: "calls", calls: [{ wire: "one" }, {}] })
      for (let at = 1; at < bytes.length; at++) {
        const cut = read(name, [bytes.subarray(0, at), bytes.subarray(at)])
        if (JSON.stringify(cut) !== JSON.stringify(whole)) expect(cut, `cut at ${at}`).toEqual(whole)
      }
      expect(
        read(
          name,
          [...bytes].map((byte) => Buffer.from([byte])),
        ),
      ).toEqual(whole)
    }
  },
)

test.each(["openai", "anthropic", "responses"] as const)(
  "66, 67: %s ended at every byte is whole or an error, and never half a call",
  async (name) => {
    const bytes = await bytesOf(name)
    const whole = read(name, [bytes]).reply
    let [errors, ends] = [0, 0]
    for (let at = 1; at < bytes.length; at++) {
      const { reply } = read(name, [bytes.subarray(0, at)])
      if (reply.error) errors++
      else ends++
      if (reply.error)
        expect([reply.calls, reply.stop, reply.error.kind, reply.error.retryable]).toEqual([
          [],
          "other",
          "protocol",
          true,
        ])
      else expect(reply.calls).toEqual(whole.calls)
    }
    // Only after the reason to stop, or inside of the very last line, nothing is missing.
    expect(errors).toBeGreaterThan(ends)
  },
)
