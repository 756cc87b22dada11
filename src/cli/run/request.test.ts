import { expect, test } from "vitest"
import { defineAgent } from "../../agent.ts"
import { SubagentRegistry } from "../../registry/registry.ts"
import { splitName } from "./request.ts"

const registry = new SubagentRegistry()
registry.register(defineAgent({ name: "reviewer", instructions: "x", aliases: ["rev"] }))
registry.register(defineAgent({ name: "two words", instructions: "x" }))

test.each<[readonly string[], string | undefined, readonly string[]]>([
  [[], undefined, []],
  [["reviewer"], "reviewer", []],
  [["rev", "it"], "rev", ["it"]],
  [["reviewer", "Review", "src/"], "reviewer", ["Review", "src/"]],
  [["nobody"], "nobody", []],
  [["nobody", "x"], "nobody", ["x"]],
  [["two words", "x"], "two words", ["x"]],
  [["Review the code"], undefined, ["Review the code"]],
  [["Review the", "code"], undefined, ["Review the", "code"]],
  [["/use reviewer look"], undefined, ["/use reviewer look"]],
  [["/use", "reviewer", "look"], undefined, ["/use", "reviewer", "look"]],
  [["/useful"], "/useful", []],
])("%j names %j", (words, name, rest) => {
  expect(splitName(words, registry)).toEqual({ ...(name !== undefined && { name }), words: rest })
})
