import { expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { processorTime } from "../../../../test/processor-time.ts"
import { writeWholeLines } from "../support.ts"

const alike = (name: string, how: string) =>
  naming("warning description-overlap at description", `${how}`, `\`${name}\``)

test.each([
  ["the same", "Writes unit tests for new code.", "Writes unit tests for new code.", "the same as"],
  [
    "the same in other words",
    "Database performance optimization and query tuning specialist. Use PROACTIVELY for slow queries, indexing strategies and execution plan analysis.",
    "Use this agent when you need to analyze slow queries, optimize database performance or implement indexing strategies. <example>user: It is slow.</example>",
    "too similar to",
  ],
  ["short, and one word apart", "Reviews code for security.", "Reviews code for style.", undefined],
  [
    "a family with one member for each language",
    "Expert assistant for building Model Context Protocol servers in Kotlin using the official SDK.",
    "Expert assistant for building Model Context Protocol servers in Go using the official SDK.",
    undefined,
  ],
  [
    "the general one and the special one",
    "Performs cleanup, simplification and debt remediation on any codebase, with tests before and after.",
    "Performs cleanup, simplification and debt remediation on C# code, with tests before and after.",
    undefined,
  ],
  [
    "nothing but phrases",
    "Expert specialist. Use proactively.",
    "Expert specialist. Use proactively.",
    undefined,
  ],
  ["no description", undefined, undefined, undefined],
])("%s", (_, one, other, how) => {
  const found = writeWholeLines({
    name: "beta",
    description: one,
    around: { agents: [{ name: "alpha", description: other }] },
  })
  expect(found).toEqual(how === undefined ? [] : [alike("alpha", how)])
})

test.each([
  ["what the name says sets it apart", "bicep-planner", "bicep-writer", []],
  ["a name that says nothing does not", "bicep-one", "bicep-two", [alike("bicep-one", "too similar to")]],
])("%s", (_, one, other, expected) => {
  const told = (word: string) =>
    `Acts as ${word} of infrastructure templates for cloud resources, networks, storage, identities and policies.`
  const first = { name: one, description: told("planner") }
  expect(writeWholeLines({ name: other, description: told("writer"), around: { agents: [first] } })).toEqual(
    expected,
  )
})

test("hidden agents and agents that are not used are nobody's rivals", () => {
  const description = "Writes unit tests for new code."
  expect(
    writeWholeLines({ name: "beta", description, around: { agents: [{ description, hidden: true }] } }),
  ).toEqual([])
  expect(writeWholeLines({ description, around: { agents: [{ name: "agent-1", description }] } })).toEqual([])
})

test("keywords count as part of the description", () => {
  const keywords = ["tests", "coverage", "mutation"]
  expect(
    writeWholeLines({ name: "beta", keywords, around: { agents: [{ name: "alpha", keywords }] } }),
  ).toEqual([alike("alpha", "the same as")])
})

test("of a thousand agents each is compared with every other in little time", () => {
  const description = (index: number) =>
    `Handles part ${index} of the build: compiles, tests, packages, signs, uploads and announces release ${index}.`
  const agents = Array.from({ length: 1_000 }, (_, index) => ({
    name: `part-${index}`,
    description: description(index),
  }))
  const began = processorTime()
  writeWholeLines({ around: { agents } })
  expect(processorTime() - began).toBeLessThan(15_000)
})
