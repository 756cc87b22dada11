import { expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import type { AgentInput } from "../../agent/agent.ts"
import { checkInputs } from "./support.ts"

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index))

const one = (input: Partial<AgentInput>): readonly Partial<AgentInput>[] => [input]

/**
 * Each takes minutes where the time grows with the square. The bound is generous: only the wrong growth misses it. It is
 * one of processor time, so the clock waits for as long as other work on the machine may take.
 */
test.each<[string, () => readonly Partial<AgentInput>[]]>([
  ["one tool many times", () => one({ tools: many(80_000, () => "a") })],
  ["one tool of ours many times", () => one({ tools: many(80_000, () => "Read") })],
  ["many tools that nobody has", () => one({ tools: ["Read", ...many(50_000, (index) => `Raed${index}`)] })],
  [
    "tools that are both granted and taken away",
    () => {
      const tools = many(30_000, (index) => `mcp__server__tool${index}`)
      return one({ tools, disallowedTools: tools })
    },
  ],
  [
    "one tool that is granted and taken away many times",
    () => one({ tools: many(30_000, () => "Bash"), disallowedTools: many(30_000, () => "Bash") }),
  ],
  [
    "patterns of tools",
    () =>
      one({
        tools: many(20_000, (index) => `mcp__s__${index}`),
        disallowedTools: many(20_000, (index) => `mcp__*${index}`),
      }),
  ],
  [
    "tools of the file itself",
    () =>
      one({
        tools: many(10_000, (index) => `tool_number_x${index}`),
        toolDefinitions: many(10_000, (index) => `tool_number_${index}`).map((name) => ({
          name,
          description: "",
          script: "/a",
        })),
      }),
  ],
  [
    "many rules",
    () => one({ rules: many(50_000, (index) => `a${index}`).map((tool) => ({ tool, decision: "ask" })) }),
  ],
  [
    "a ring of agents",
    () =>
      many(10_000, (index) => `Agent(agent-${((index + 1) % 10_000) + 1})`).map((tool) => ({
        tools: [tool],
      })),
  ],
  [
    "agents that all delegate to each other",
    () => {
      const all = many(600, (index) => `agent-${index + 1}`).join(", ")
      return many(600, () => "").map(() => ({ tools: [`Agent(${all})`] }))
    },
  ],
  [
    "agents that all delegate to each other, and deny what others list",
    () => {
      const all = many(300, (index) => `agent-${index + 1}`).join(", ")
      return many(300, (index) => `Agent(agent-${index + 1})`).map((itself, index) => ({
        tools: [`Agent(${all})`, "Read"],
        disallowedTools: index % 2 === 0 ? ["Bash"] : ["Bash", itself],
      }))
    },
  ],
  [
    "delegates that nobody knows",
    () =>
      many(2_000, (index) => `Agent(${many(300, (other) => `agent-x${index}-${other}`).join(",")})`).map(
        (tool) => ({ tools: [tool] }),
      ),
  ],
  ["a row of tokens that are none", () => one({ instructions: `1${"-eyJ".repeat(250_000)}` })],
  [
    "a private key that is none",
    () =>
      one({
        instructions: `-----BEGIN ${"A ".repeat(200_000)}PRIVATE KEY-----${"\n".repeat(200_000)}${"-----BEGIN PRIVATE KEY-----\n".repeat(10_000)}`,
      }),
  ],
  [
    "many secrets",
    () =>
      one({
        instructions: many(20_000, (index) => `glpat-${index}aQ9zB8yC7xD6wE5vF4uG3`).join("\n"),
      }),
  ],
  ["a word of dots", () => one({ description: `${".".repeat(900_000)}a` })],
  ["many words of dots", () => one({ description: `${".".repeat(1_000)}a `.repeat(900) })],
  ["a model of blanks", () => one({ model: `x${" ".repeat(900_000)}y` })],
  ["a model of parentheses", () => one({ model: " (".repeat(400_000) })],
  ["many models", () => one({ model: many(50_000, (index) => `sonet ${index}`) })],
  ["a delegate of blanks", () => one({ tools: [`Agent(a${" ".repeat(900_000)}b)`, "Agent(c)"] })],
  ["a pattern of stars", () => one({ tools: ["mcp__a"], disallowedTools: [`mcp__${"*a".repeat(400_000)}`] })],
  [
    "a tool of underscores",
    () => one({ tools: ["Read", `mcp_${"_".repeat(900_000)}`, "a-".repeat(400_000)] }),
  ],
  [
    "equal descriptions",
    () =>
      many(12_000, () => many(100, (index) => `word${index}`).join(" ")).map((description) => ({
        description,
      })),
  ],
  [
    "descriptions that are nearly equal",
    () =>
      many(6_000, (agent) => `${many(150, (index) => `word${index}`).join(" ")} only${agent}`).map(
        (description) => ({ description }),
      ),
  ],
  [
    "orders to use a tool",
    () => one({ tools: ["Read"], instructions: "use `web_fetch` tool ".repeat(45_000) }),
  ],
  [
    "orders to use many tools",
    () =>
      one({
        tools: ["Read", ...many(20_000, (index) => `mcp__s__${index}`)],
        instructions: many(20_000, (index) => `Use mcp__a__b${index}.`).join("\n"),
      }),
  ],
  [
    "orders with blanks",
    () => one({ tools: ["Read"], instructions: `use${" ".repeat(400_000)}, `.repeat(2) }),
  ],
  ["unclosed blocks", () => one({ tools: ["Read"], instructions: "```\n~~~\n".repeat(100_000) })],
])("checking does not take long for %s", (_, inputs) => {
  const agents = inputs()
  const began = processorTime()
  const found = checkInputs(agents)
  expect(processorTime() - began).toBeLessThan(15_000)
  // The messages must not fill the memory either.
  let longest = 0
  for (const { message } of found.flat()) longest = Math.max(longest, message.length)
  expect(longest).toBeLessThan(2_000)
  expect(found.filter(({ length }) => length > 400)).toEqual([])
})
