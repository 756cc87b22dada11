import { expect } from "vitest"

/**
 * Matches a text that has these parts in this order. The parts are the names and values that a message inserts, and a
 * word that tells it from others, so that its other words can change without the test.
 */
export const naming = (...parts: readonly string[]) =>
  expect.stringMatching(
    new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join(".*"), "s"),
  )
