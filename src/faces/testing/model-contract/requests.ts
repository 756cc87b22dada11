import assert from "node:assert/strict"
import type { Attachment, AttachmentType, Json, Message, ToolCall } from "../../../ground/message.ts"
import type { ServedRequest } from "../model-server.ts"
import { addTool } from "../plain-request.ts"
import { call, getSentHistory, type ModelCases, type ModelExchange } from "./support.ts"

const assistant = (text: string, ...calls: readonly ToolCall[]): Message => ({
  role: "assistant",
  text,
  calls,
})
const callOf = (id: string, text = '{"a":1}', tool = "add"): ToolCall => ({
  id,
  wire: `w_${id}`,
  tool,
  arguments: text,
})
const result = (id: string, text: string): Message => ({
  role: "tool",
  call: id,
  wire: `w_${id}`,
  tool: "add",
  text,
})
const user = (text: string): Message => ({ role: "user", text })

/** Histories that the runtime can produce. The server refuses requests that a strict provider would refuse. */
const histories: Readonly<Record<string, readonly Message[]>> = {
  "one turn": [user("Go")],
  "calls at once, one of which failed": [
    user("Go"),
    assistant("", callOf("c1"), callOf("c2")),
    result("c1", "1"),
    { ...result("c2", "broken"), isError: true } as Message,
  ],
  "messages that came together": [
    user("Go"),
    assistant("Sure.", callOf("c1")),
    result("c1", "1"),
    user("Also this"),
    user("and that"),
    assistant("Done."),
    user("Once more"),
    user("please"),
  ],
  "49: nothing but space before a call, and results of nothing": [
    user("Go"),
    assistant(" \n", callOf("c1", "{}"), callOf("c2")),
    result("c1", ""),
    result("c2", " \n"),
  ],
  "42, 44: calls that were garbage": [
    user("Go"),
    assistant(
      "",
      callOf("c1", '{"a": "x'),
      callOf("c2", "[1]"),
      callOf("c3", ""),
      callOf("c4", "{}", "Read<|tool|>"),
    ),
    ...["c1", "c2", "c3", "c4"].map((id) => result(id, "That was no call.")),
  ],
  "82: lone surrogates everywhere": [
    user("\ud83d half"),
    assistant("\udc00", callOf("c1", '{"a":"\\ud83d","b":"\\ud83d\\ude42","\ud83d":1}')),
    result("c1", "\ud83d"),
  ],
}

/** The beginning of a file of each type, in base64. */
const samples: Readonly<Record<AttachmentType, string>> = {
  "image/png": "iVBORw0KGgoAAAANSUhEUg==",
  "image/jpeg": "/9j/4AAQSkZJRgABAQ==",
  "image/gif": "R0lGODlhAQABAAAAACw=",
  "image/webp": "UklGRiQAAABXRUJQVlA4IA==",
  "application/pdf": "JVBERi0xLjQKJSVFT0YK",
}

/** Cases about the requests that a client sends. */
export const requestCases: ModelCases = {
  "47: every history the runtime makes is taken": async (ask) => {
    for (const [name, messages] of Object.entries(histories))
      assertAccepted(await ask({ text: "ok" }, { messages }), name)
  },

  "47: a closing turn offers no tools after all those calls": async (ask) => {
    for (const [name, messages] of Object.entries(histories))
      assertAccepted(await ask({ text: "ok" }, { messages, tools: [] }), name)
  },

  "a request without system prompt or tools is taken": async (ask) => {
    assertAccepted(await ask({ text: "ok" }, { system: "", tools: [] }), "bare")
  },

  "what a reply carries is taken back": async (ask) => {
    const first = { reasoning: "Hm.", text: "Adding.", calls: [call("w_c1", { a: 1 })] }
    const exchange = await ask([first, { text: "ok" }], ([reply]) => {
      if (!reply) return {}
      const { text, provider } = reply
      const calls = [callOf("c1")]
      const message: Message = { role: "assistant", text, calls, ...(provider !== undefined && { provider }) }
      return { messages: [user("Go"), message, result("c1", "1")] }
    })
    assertAccepted(exchange, "carried")
  },

  "what another provider's reply carried does no harm": async (ask) => {
    const carried: readonly Json[] = [
      null,
      7,
      "x",
      [],
      { anthropic: [{ type: "thinking" }] },
      { other: [{}] },
    ]
    for (const provider of carried) {
      const message: Message = { role: "assistant", text: "Yes.", calls: [callOf("c1")], provider }
      assertAccepted(
        await ask({ text: "ok" }, { messages: [user("Go"), message, result("c1", "1")] }),
        "foreign",
      )
    }
  },

  "pictures and PDFs of tasks and results are sent whole, of the types that the model sees": async (ask) => {
    const { model } = await ask({ text: "ok" })
    for (const mediaType of model.sees ?? []) {
      const attachment: Attachment = { blob: mediaType, mediaType, size: 9, name: "shown" }
      const { name: _, ...unnamed } = attachment
      const missingAttachment: Attachment = { ...attachment, blob: "gone" }
      const data = samples[mediaType]
      const exchange = await ask(
        { text: "ok" },
        {
          contentOf: ({ blob }) => (blob === "gone" ? undefined : data),
          messages: [
            { role: "user", text: "Look.", attachments: [attachment, unnamed] },
            assistant("", callOf("c1"), callOf("c2")),
            { ...result("c1", ""), attachments: [attachment, missingAttachment] } as Message,
            result("c2", "2"),
            { role: "user", text: "", attachments: [attachment] },
          ],
        },
      )
      assertAccepted(exchange, mediaType)
      const count = exchange.server.requests[0]!.text.split(data).length - 1
      assert.deepEqual([mediaType, count], [mediaType, 4])
    }
  },

  "the same request is the same bytes, and a longer history begins with the shorter one": async (ask) => {
    const tools = [addTool]
    const messages = histories["messages that came together"]!
    const requests: ServedRequest[] = []
    for (const length of [1, 5, 5, messages.length]) {
      const { server } = await ask({ text: "ok" }, { messages: messages.slice(0, length), tools })
      requests.push(server.requests[0]!)
    }
    const [first, second, again, third] = requests as [
      ServedRequest,
      ServedRequest,
      ServedRequest,
      ServedRequest,
    ]
    assert.equal(second.text, again.text)
    assert.ok(beginsWith(second, first), "the second turn does not begin with the first")
    assert.ok(beginsWith(third, second), "the third turn does not begin with the second")
  },

  "the limit on a reply is sent": async (ask) => {
    const { server } = await ask({ text: "ok" }, { maxOutputTokens: 77 })
    assert.match(server.requests[0]!.text, /:77[,}]/)
  },

  "parameters of a request are sent, with what bounds its reply": async (ask) => {
    const { reply, server } = await ask({ text: "ok" }, { parameters: { max_tokens: 88 } })
    assert.deepEqual([reply.error, server.requests[0]?.problem], [undefined, undefined])
    assert.match(server.requests[0]!.text, /:88[,}]/)
    const bounded = await ask({ text: "ok" }, { parameters: { max_tokens: 88 }, maxOutputTokens: 77 })
    assert.match(bounded.server.requests[0]!.text, /:77[,}]/)
  },

  "parameters of a request cannot set what the runtime sets": async (ask) => {
    const plain = await ask({ text: "ok" }, { parameters: {} })
    const parameters = { model: "other", messages: [], tools: [], stream: "no" }
    const { server } = await ask({ text: "ok" }, { parameters })
    assert.deepEqual(server.requests[0]!.body, plain.server.requests[0]!.body)
  },

  "a wrong parameter of a request is refused as data": async (ask) => {
    const { reply } = await ask({ text: "ok" }, { parameters: { max_tokens: "x" } })
    assert.deepEqual([reply.error?.kind, reply.error?.retryable, reply.calls], ["rejected", false, []])
  },

  "a request that is refused says why": async (ask) => {
    const { reply, server } = await ask({ text: "ok" }, { tools: [addTool, addTool] })
    assert.deepEqual([reply.error?.kind, reply.error?.retryable], ["rejected", false])
    assert.ok(reply.error?.message.includes(server.requests[0]?.problem ?? "?"), reply.error?.message)
  },
}

function assertAccepted({ reply, server }: ModelExchange, name: string): void {
  assert.deepEqual(
    [name, server.requests.at(-1)?.problem, reply.error, reply.text],
    [name, undefined, undefined, "ok"],
  )
}

/** Compares bytes if the history is the last part of a request, otherwise the messages. */
function beginsWith(longer: ServedRequest, shorter: ServedRequest): boolean {
  const [start, whole] = [getSentHistory(shorter), getSentHistory(longer)]
  if (shorter.protocol !== "openai" && shorter.protocol !== "anthropic")
    return JSON.stringify(whole.slice(0, start.length)) === JSON.stringify(start)
  const text = withoutCacheMarks(shorter.text)
  return withoutCacheMarks(longer.text).startsWith(text.slice(0, text.lastIndexOf('"}')))
}

const withoutCacheMarks = (text: string): string => text.replaceAll(/,"cache_control":\{[^}]*\}/g, "")
