import { expect, test } from "vitest"
import { findPatience } from "./patience.ts"

const cases = [
  ["claude-code", "reported", 270_000],
  ["claude-code", "unwanted", 45_000],
  ["codex-mcp-client", "reported", 45_000],
  ["Claude-Code", "reported", 45_000],
  [undefined, "reported", 45_000],
  ["constructor", "reported", 45_000],
] as const

test.each(cases)("a call of %s with progress %s is answered within %d ms", (host, progress, most) => {
  expect(findPatience(host, progress)).toBe(most)
})
