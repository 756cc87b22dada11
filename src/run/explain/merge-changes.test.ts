import { expect, test } from "vitest"
import type { FileVersion } from "../../agent/file-change.ts"
import { type ChangeStep, mergeSteps } from "./merge-changes.ts"

type Version = string | undefined

const version = (name: Version): FileVersion | undefined => (name === undefined ? undefined : { hash: name })

/** A change from one content to another, between two numbers of the log. */
function step(
  before: Version,
  after: Version,
  [from, to = from]: readonly [number, number?],
  state: ChangeStep["state"] = "made",
): ChangeStep {
  const [old, now] = [version(before), version(after)]
  return {
    path: "/a",
    run: "r",
    agent: "a",
    call: "c1",
    tool: "Edit",
    from,
    to,
    state,
    ...(old && { before: old }),
    ...(now && { after: now }),
  }
}

const nothing = undefined

test.each<[string, readonly ChangeStep[], readonly unknown[], Version?]>([
  ["two edits", [step("1", "2", [1]), step("2", "3", [2])], ["1", "3", false]],
  ["an edit and its opposite", [step("1", "2", [1]), step("2", "1", [2])], []],
  ["a file that came and went", [step(nothing, "1", [1]), step("1", nothing, [2])], []],
  ["a change by another between two edits", [step("1", "2", [1]), step("x", "3", [2])], ["1", "3", true]],
  ["an edit while a command runs", [step("x", "2", [2]), step("1", "2", [1, 3])], ["1", "2", false]],
  [
    "an unclear edit that the next one begins with",
    [step("1", "2", [1], "unclear"), step("2", "3", [2])],
    ["1", "3", false],
  ],
  [
    "an unclear edit that was not made",
    [step("1", "2", [1], "unclear"), step("1", "3", [2])],
    ["1", "3", false],
  ],
  ["an unclear edit that is on the disk", [step("1", "2", [1], "unclear")], ["1", "2", false], "2"],
  ["an unclear edit that is not on the disk", [step("1", "2", [1], "unclear")], [], "1"],
  [
    "an unclear edit of a file that changed since",
    [step("1", "2", [1], "unclear")],
    ["1", "2", false, "unclear"],
    "x",
  ],
])("%s", (_, steps, expected, onDisk) => {
  const merged = mergeSteps(steps, () => onDisk ?? "absent")
  const shown = merged.flatMap(({ before, after, mixed = false, steps }) => [
    before?.hash,
    after?.hash,
    mixed,
    ...steps.flatMap(({ state }) => (state === "unclear" ? [state] : [])),
  ])
  expect(shown).toEqual(expected)
})

test("versions that were not read are never the same", () => {
  const unread: FileVersion = { without: "unknown" }
  expect(mergeSteps([{ ...step("1", "1", [1]), before: unread, after: unread }])).toHaveLength(1)
})
