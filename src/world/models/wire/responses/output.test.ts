import { describe, expect, test } from "vitest"
import type { ModelDelta } from "../../../../agent/model.ts"
import { minOutputTokens, reservedResponsesParameters, responsesLimitParameters } from "./names.ts"
import { type OutputItem, OutputItems } from "./output.ts"
import { SealedReasoning } from "./sealed-reasoning.ts"

interface Read {
  readonly items: readonly unknown[]
  readonly told: string
  readonly refusal: string
  readonly areWhole: boolean
}

/** The items of a response, what was told of them as it came, and whether every call has its end. */
function read(events: readonly Record<string, unknown>[], output?: unknown): Read {
  const deltas: ModelDelta[] = []
  const items = new OutputItems((delta) => deltas.push(delta))
  for (const event of events) items.addEvent(event)
  if (output !== undefined) items.addOutput(output)
  const told = deltas.map(({ type, text }) => `${type}: ${text}`).join(" | ")
  return { items: items.items.map(shown), told, refusal: items.refusal, areWhole: items.areWhole }
}

const shown = (item: OutputItem): unknown => {
  if (item.type !== "reasoning") return item
  const { told: _, ...rest } = item
  return rest
}

const added = (output_index: unknown, item: object) => ({
  type: "response.output_item.added",
  output_index,
  item,
})
const done = (output_index: number, item: object) => ({
  type: "response.output_item.done",
  output_index,
  item,
})
const delta = (kind: string, output_index: number, text: unknown, more: object = {}) => ({
  type: `response.${kind}.delta`,
  output_index,
  delta: text,
  ...more,
})
const text = (text: string, phase = "") => ({ type: "message", text, phase })
const call = (more: object) => ({ type: "call", id: "", name: "", arguments: "", ended: false, ...more })
const reasoning = (more: object) => ({ type: "reasoning", summary: [], content: [], sealed: "", ...more })
const message = (said: string, more: object = {}) => ({
  type: "message",
  content: [{ type: "output_text", text: said }],
  ...more,
})
const nothing = { told: "", refusal: "", areWhole: true }

describe("the items of a response", () => {
  test.each<[string, readonly Record<string, unknown>[], unknown, Partial<Read>]>([
    ["none", [], undefined, { items: [] }],
    [
      "a text in parts, with its phase at the end",
      [
        added(0, { type: "message" }),
        delta("output_text", 0, "a"),
        delta("output_text", 0, "b"),
        done(0, message("ab", { phase: "final" })),
      ],
      undefined,
      { items: [text("ab", "final")], told: "text: a | text: b" },
    ],
    [
      "the rest of a text that came in part",
      [delta("output_text", 0, "a")],
      [message("ab")],
      { items: [text("ab")], told: "text: a | text: b" },
    ],
    [
      "a text that came in another form, as it was told",
      [delta("output_text", 0, "a"), done(0, message("b"))],
      undefined,
      { items: [text("a")], told: "text: a" },
    ],
    [
      "two texts, which stay apart where they are told",
      [delta("output_text", 0, "a"), delta("output_text", 1, "b")],
      undefined,
      { items: [text("a"), text("b")], told: "text: a | text: \n\nb" },
    ],
    [
      "an empty text before another",
      [done(0, message("")), done(1, message("b"))],
      undefined,
      { items: [text(""), text("b")], told: "text: b" },
    ],
    [
      "a text that is no list",
      [],
      [{ type: "message", content: "ab" }],
      { items: [text("ab")], told: "text: ab" },
    ],
    [
      "the parts of a call, and its end",
      [
        added(0, { type: "function_call", call_id: "c", name: "f" }),
        delta("function_call_arguments", 0, '{"a"'),
        delta("function_call_arguments", 0, ":1}"),
        { type: "response.function_call_arguments.done", output_index: 0 },
      ],
      undefined,
      { items: [call({ id: "c", name: "f", arguments: '{"a":1}', ended: true })] },
    ],
    [
      "a call whose end has the whole of it",
      [
        added(0, { type: "function_call", call_id: "c", name: "f" }),
        delta("function_call_arguments", 0, '{"a"'),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"a":2}' },
      ],
      undefined,
      { items: [call({ id: "c", name: "f", arguments: '{"a":2}', ended: true })] },
    ],
    [
      "a call without its end",
      [added(0, { type: "function_call", call_id: "c", name: "f" })],
      undefined,
      { items: [call({ id: "c", name: "f" })], areWhole: false },
    ],
    [
      "a whole call, and nothing that it lacks",
      [added(0, { type: "function_call", call_id: "c", name: "f" }), done(0, { type: "function_call" })],
      undefined,
      { items: [call({ id: "c", name: "f", ended: true })] },
    ],
    [
      "a call that says that it is cut",
      [],
      [{ type: "function_call", call_id: "c", name: "f", arguments: { a: 1 }, status: "incomplete" }],
      { items: [call({ id: "c", name: "f", arguments: '{"a":1}' })], areWhole: false },
    ],
    [
      "reasoning in parts, which stay apart",
      [
        delta("reasoning_summary_text", 0, "a", { summary_index: 0 }),
        delta("reasoning_summary_text", 0, "b", { summary_index: 0 }),
        delta("reasoning_text", 0, "c", { content_index: 1 }),
      ],
      undefined,
      { items: [reasoning({})], told: "reasoning: a | reasoning: b | reasoning: \n\nc" },
    ],
    [
      "whole reasoning, and the part of it that was not told",
      [
        delta("reasoning_text", 0, "a"),
        done(0, {
          type: "reasoning",
          summary: [{ text: "a" }, { text: "" }],
          content: [{ text: "b" }],
          encrypted_content: "E",
        }),
      ],
      undefined,
      {
        items: [reasoning({ summary: [{ text: "a" }, { text: "" }], content: [{ text: "b" }], sealed: "E" })],
        told: "reasoning: a | reasoning: \n\nb",
      },
    ],
    [
      "whole reasoning in another form, as it was told",
      [delta("reasoning_text", 0, "a"), done(0, { type: "reasoning", summary: [{ text: "b" }] })],
      undefined,
      { items: [reasoning({ summary: [{ text: "b" }] })], told: "reasoning: a" },
    ],
    [
      "a refusal in parts, and once",
      [
        delta("refusal", 0, "No"),
        delta("refusal", 0, "."),
        done(0, { type: "message", content: [{ refusal: "No." }] }),
      ],
      undefined,
      { items: [text("")], refusal: "No." },
    ],
    [
      "parts of another kind than their item, which change nothing",
      [
        added(0, { type: "message" }),
        added(1, { type: "function_call", call_id: "c" }),
        added(2, { type: "reasoning" }),
        delta("function_call_arguments", 0, "x"),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: "x" },
        delta("output_text", 1, "x"),
        delta("reasoning_text", 1, "x"),
        delta("output_text", 2, "x"),
        { type: "response.function_call_arguments.done", output_index: 2, arguments: "x" },
      ],
      undefined,
      { items: [text(""), call({ id: "c" }), reasoning({})], areWhole: false },
    ],
    [
      "items of other types",
      [added(0, { type: "news" }), { type: "response.news", output_index: 1 }],
      undefined,
      { items: [{ type: "other" }] },
    ],
    [
      "items at places that are none",
      [-1, 0.5, 10_000, "0", undefined, Number.NaN].map((index) => added(index, { type: "message" })),
      undefined,
      { items: [] },
    ],
    ["an item at the last place", [added(9_999, { type: "message" })], undefined, { items: [text("")] }],
    [
      "the items that the end repeats, once",
      [done(0, message("a"))],
      [message("ab"), message("c")],
      { items: [text("a"), text("c")], told: "text: a | text: \n\nc" },
    ],
    ["an output that is no list", [], {}, { items: [] }],
    [
      "parts that are no texts",
      [delta("output_text", 0, 7), delta("refusal", 0, 7)],
      undefined,
      { items: [text("")] },
    ],
  ])("%s", (_, events, output, expected) => {
    expect(read(events, output)).toEqual({ ...nothing, ...expected })
  })
})

describe("reasoning that only the provider can read", () => {
  const error = (message: string, kind = "rejected") => ({ kind, message, retryable: false }) as never
  const reply = (provider?: object) => ({
    role: "assistant",
    text: "",
    calls: [],
    ...(provider && { provider }),
  })
  const request = (...messages: readonly object[]) => ({ messages }) as never

  test.each([
    ["gpt-5", true],
    ["o4-mini", true],
    ["gpt-5.1-chat-latest", false],
    ["gpt-4o", false],
    ["gpt-3.5-turbo", false],
    ["chatgpt-4o-latest", false],
    ["ft:gpt-4o:me", false],
    ["my-gpt-4", true],
  ])("is asked for from %s: %s", (model, expected) =>
    expect(new SealedReasoning(model).isAskedFor).toBe(expected),
  )

  test("that the provider cannot read is left out from then on", () => {
    const sealed = new SealedReasoning("gpt-5")
    const messages = [reply({ a: 1 }), reply(), { role: "user", text: "", provider: {} }]
    const refused = error("The encrypted content could not be verified.")
    expect(messages.map((message) => sealed.mayBeSent(message as never))).toEqual([true, true, true])
    expect(sealed.refusal(refused, request(...messages))).toMatchObject({ retryable: true, kind: "rejected" })
    expect(messages.map((message) => sealed.mayBeSent(message as never))).toEqual([false, true, true])
    expect(sealed.refusal(refused, request(...messages))).toBeUndefined()
    expect(sealed.refusal(error("encrypted_content: decrypted"), request(reply({ b: 1 })))).toBeDefined()
    expect(sealed.isAskedFor).toBe(true)
  })

  test("that the server does not know is not asked for any more", () => {
    const sealed = new SealedReasoning("gpt-5")
    expect(sealed.refusal(error("Unknown: encrypted_content"), request())).toMatchObject({ retryable: true })
    expect([sealed.isAskedFor, sealed.refusal(error("encrypted_content"), request())]).toEqual([
      false,
      undefined,
    ])
  })

  test.each([
    ["another refusal", error("max_tokens is too large")],
    ["another failure", error("encrypted_content", "network")],
  ])("is not what %s is about", (_, other) => {
    const sealed = new SealedReasoning("gpt-5")
    expect([sealed.refusal(other, request(reply({}))), sealed.isAskedFor]).toEqual([undefined, true])
  })
})

test("parameters that only the runtime sets, and names of the limit on a reply", () => {
  expect([reservedResponsesParameters, responsesLimitParameters, minOutputTokens]).toEqual([
    [
      ...["model", "input", "messages", "instructions", "tools", "stream"],
      ...["store", "previous_response_id", "conversation", "background"],
    ],
    ["max_output_tokens", "max_completion_tokens", "max_tokens"],
    16,
  ])
})
