import path from "node:path"
import { expect, test } from "vitest"
import { defineAgent } from "../../../agent/agent.ts"
import { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { UsageError } from "../usage-error.ts"
import { requireAgent, splitName } from "./request.ts"

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

test.each([
  [
    "the name of the file that defines an agent",
    "lint_subagent",
    'There is no agent named "lint_subagent". Did you mean "lint_agent"? Known: docstring_agent, lint_agent.',
  ],
  [
    "a slip in the name of an agent whose definition is broken",
    "docstrin_agent",
    'There is no agent named "docstrin_agent". Did you mean "docstring_agent"? Known: docstring_agent, lint_agent.',
  ],
  ["anything else", "nobody", 'There is no agent named "nobody". Known: docstring_agent, lint_agent.'],
])("%s is no name of an agent: the error says what was meant", (_, name, message) => {
  const remora = new SubagentRegistry()
  const fixtures = path.resolve(import.meta.dirname, "../../../definitions/formats/fixtures/remora")
  remora.loadFromPath(fixtures)
  expect(() => requireAgent(name, remora)).toThrow(new UsageError(message))
})
