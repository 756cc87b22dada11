import { describe, expect, test } from "vitest"
import type { JsonMap } from "../../ground/message.ts"
import { gatherArguments, rewriteArguments } from "./arguments.ts"

const aliases = { file_path: "path", filename: "path", contents: "content" }

describe("the arguments of a call, whatever the model calls them:", () => {
  test.each<[string, JsonMap, JsonMap]>([
    ["by the tool's names and Claude Code's", { path: "a" }, { path: "a", file_path: "a" }],
    ["by any other", { filename: "a" }, { filename: "a", path: "a", file_path: "a" }],
    ["also what is no path", { contents: "x" }, { contents: "x", content: "x" }],
    ["and nothing where there is nothing", { limit: 1 }, { limit: 1 }],
  ])("%s", (_, input, expected) => expect(gatherArguments({ input, aliases })).toEqual(expected))

  test("those of a tool without other names are as they are written", () => {
    expect(gatherArguments({ input: { file_path: "a" } })).toEqual({ file_path: "a" })
  })
})

describe("arguments that a hook writes anew", () => {
  test.each<[string, JsonMap, JsonMap, JsonMap]>([
    ["take the place of those by another name", { filename: "a" }, { path: "b" }, { path: "b" }],
    ["also by Claude Code's", { path: "a", limit: 1 }, { file_path: "b" }, { file_path: "b", limit: 1 }],
    [
      "may repeat all others, as Claude Code's hooks do",
      { path: "a", content: "x" },
      { path: "a", file_path: "b", content: "x" },
      { file_path: "b", content: "x" },
    ],
    [
      "keep two names that say different things, for the tool to refuse",
      { path: "a" },
      { path: "b", file_path: "c" },
      { path: "b", file_path: "c" },
    ],
  ])("%s", (_, input, wanted, expected) =>
    expect(rewriteArguments({ input, aliases }, wanted)).toEqual(expected),
  )
})
