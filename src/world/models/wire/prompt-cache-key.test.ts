import { expect, test } from "vitest"
import { requestWith } from "../../../faces/testing/plain-request.ts"
import { createOpenAiWriter } from "./openai/request.ts"
import { findChatRules } from "./openai/rules.ts"
import { createCacheKeys } from "./prompt-cache-key.ts"
import { StrictTools } from "./strict-tools.ts"

test.each([
  ["a later turn", { run: "root", agent: "lead", turn: 9 }, "same"],
  ["a child of the same agent", { run: "root.1.2", agent: "lead" }, "same"],
  ["another agent of the tree", { run: "root.1", agent: "worker" }, "another"],
  ["another tree", { run: "other", agent: "lead" }, "another"],
])("%s has the %s key", (_, request, expected) => {
  const keyOf = createCacheKeys()
  const first = keyOf(requestWith({ run: "root", agent: "lead" }))
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(keyOf(requestWith(request)) === first ? "same" : "another").toBe(expected)
  expect(createCacheKeys()(requestWith({ run: "root", agent: "lead" }))).toBe(first)
})

test.each([
  ["is sent where a server takes one", {}, expect.stringMatching(/^[0-9a-f]{32}$/)],
  ["is not sent where somebody named one", { prompt_cache_key: "mine" }, "mine"],
])("in chat completions the key %s", (_, parameters, expected) => {
  const write = createOpenAiWriter({
    model: "m",
    stream: "json",
    parameters,
    limitName: "max_tokens",
    strict: new StrictTools({ support: "unknown", takes: () => false }, {}),
    cacheKey: createCacheKeys(),
    usage: "asked",
    origin: { host: "host", model: "m" },
    rules: findChatRules(undefined, undefined),
  })
  expect(JSON.parse(write(requestWith({ maxOutputTokens: 7 })).toString())).toMatchObject({
    prompt_cache_key: expected,
    max_tokens: 7,
  })
})
