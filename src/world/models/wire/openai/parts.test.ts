import { expect, test } from "vitest"
import type { ModelError, ModelRequest } from "../../../../agent/model.ts"
import { appendSentence } from "../../../../ground/errors.ts"
import { createChatParts } from "./parts.ts"
import type { ChatRules } from "./rules.ts"

const error = (message: string, more: Partial<ModelError> = {}): ModelError => ({
  kind: "rejected",
  message,
  retryable: false,
  ...more,
})
const rules = { reasoning: "allowed" } as ChatRules
const request = (...providers: readonly unknown[]): ModelRequest =>
  ({
    messages: [
      { role: "user", text: "x", provider: { not: "an answer's" } },
      ...providers.map((provider) => ({
        role: "assistant",
        text: "",
        calls: [],
        ...(provider !== undefined && { provider }),
      })),
    ],
  }) as unknown as ModelRequest

test.each<[string, ChatRules, ModelError, ModelRequest, string | undefined]>([
  ["usage", rules, error("unknown field stream_options"), request(), "`stream_options`"],
  ["usage by its other name", rules, error("include_usage?"), request(), "`stream_options`"],
  [
    "usage that was not asked for",
    { ...rules, usage: "unasked" },
    error("stream_options"),
    request(),
    undefined,
  ],
  [
    "its own reasoning",
    rules,
    error("reasoning_content is no field"),
    request({ a: 1 }),
    "its own reasoning",
  ],
  [
    "details of it",
    rules,
    error("extra_content is no field"),
    request(undefined, { a: 1 }),
    "its own reasoning",
  ],
  [
    "reasoning that was not sent",
    rules,
    error("reasoning_content is no field"),
    request(undefined),
    undefined,
  ],
  [
    "reasoning that is forbidden",
    { ...rules, reasoning: "forbidden" },
    error("reasoning"),
    request({}),
    undefined,
  ],
  ["something else", rules, error("bad request"), request({}), undefined],
  ["what passes by itself", rules, error("stream_options", { retryable: true }), request(), undefined],
  [
    "no refusal",
    rules,
    error("stream_options", { kind: "server" as ModelError["kind"] }),
    request(),
    undefined,
  ],
])("a refusal of %s", (_, known, refused, asked, without) => {
  const parts = createChatParts(known)
  const before = parts.sent()
  const answer = parts.refusal(refused, asked)
  expect(answer).toEqual(
    without === undefined
      ? undefined
      : {
          ...refused,
          message: appendSentence(refused.message, `The request is repeated without ${without}.`),
          retryable: true,
        },
  )
  expect(parts.sent() === before).toBe(without === undefined)
})

test("what was refused is not sent again, and all else is", () => {
  const parts = createChatParts(rules)
  expect(parts.sent()).toEqual({ rules, usage: "asked" })
  parts.refusal(error("stream_options"), request())
  expect(parts.sent()).toEqual({ rules, usage: "unasked" })
  expect(parts.refusal(error("stream_options"), request())).toBeUndefined()
  parts.refusal(error("reasoning"), request({}))
  expect(parts.sent()).toEqual({ rules: { ...rules, reasoning: "forbidden" }, usage: "unasked" })
})
