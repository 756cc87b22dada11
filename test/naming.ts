import { expect } from "vitest"

/** A text, or what a text must contain or match. */
type Part = string | { readonly sample: string | RegExp }

/**
 * Matches a text that has these parts in this order. The parts are the names and values that a message inserts, and a
 * word that tells it from others, so that its other words can change without the test.
 */
export const naming = (...parts: readonly Part[]) =>
  expect.stringMatching(new RegExp(parts.map(sourceOf).join(".*"), "s"))

function sourceOf(part: Part): string {
  const sample = typeof part === "string" ? part : part.sample
  if (sample instanceof RegExp) return sample.source.replace(/^\^|\$$/g, "")
  return literally(sample)
}

/** The source of a pattern that matches this text. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
