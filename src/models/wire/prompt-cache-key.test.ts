import { expect, test } from "vitest"
import { requestWith } from "../../testing/plain-request.ts"
import { promptCacheKey } from "./prompt-cache-key.ts"

test.each([
  ["a later turn", { run: "root", agent: "lead", turn: 9 }, "same"],
  ["a child of the same agent", { run: "root.1.2", agent: "lead" }, "same"],
  ["another agent of the tree", { run: "root.1", agent: "worker" }, "another"],
  ["another tree", { run: "other", agent: "lead" }, "another"],
])("%s has the %s key", (_, request, expected) => {
  const keyOf = promptCacheKey()
  const first = keyOf(requestWith({ run: "root", agent: "lead" }))
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(keyOf(requestWith(request)) === first ? "same" : "another").toBe(expected)
  expect(promptCacheKey()(requestWith({ run: "root", agent: "lead" }))).toBe(first)
})
