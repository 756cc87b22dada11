import { expect, test } from "vitest"
import { processorTime } from "../../../../test/processor-time.ts"
import { claude } from "../../formats/claude.ts"
import { readAgent } from "../../formats/read-agent.ts"
import { checkAgents } from "../check.ts"
import { writeBriefLines } from "../support.ts"

test.each([
  ["Use the WebSearch tool for sources.", ["WebSearch"]],
  ["Always use WebSearch first.", ["WebSearch"]],
  ["Then use `apply_patch` to change the file.", ["ApplyPatch"]],
  ["Use your `Grep`, `Glob` and `LS` tools.", ["Glob", "LS"]],
  ["Ask others with the Task tool.", ["Agent"]],
  ["Read issues via mcp__github__get_issue.", ["mcp__github__get_issue"]],
  ["Use WebFetch. Later use WebFetch again.", ["WebFetch"]],
  // Granted.
  ["Use the Read tool, and `grep_search` for the rest.", []],
  ["Read pages with mcp__docs__search.", []],
  // No order.
  ["Do not use the Bash tool.", []],
  ["Never call `apply_patch` on generated files.", []],
  ["Use Read instead of the Bash tool.", []],
  ["Use WebSearch if available.", []],
  ["When you have access to it, use the WebSearch tool.", []],
  ["- **Claude Code:** Use the Agent tool for each phase.", []],
  ["You may use the WebSearch tool.", []],
  ["Use WebSearch or the notes.", []],
  // No tool.
  ["Run `npm test`, and use `grep` and `find` on the command line.", []],
  ["Use `Read` and `Write` traits.", []],
  ["Use the `apply_patch` function of the library.", []],
  ["Use the search tool of the site.", []],
  ["Write a bash script.", []],
  ["```\nUse the WebSearch tool.\n```", []],
  // Only an example.
  ["1. Write:\n\n    ```text\n    Use the WebSearch tool.\n    ```\n", []],
  ["````\n```\nUse WebSearch.\n```\nUse WebSearch.\n````\n", []],
  ["- ~~~\n  Use the WebSearch tool.\n  ~~~", []],
  ["<example>\nuser: hi\nNow use the WebSearch tool.\n</example>", []],
  ['<example name="a">Use WebSearch.</example>', []],
  ["<!-- Use WebSearch. -->", []],
  ["> Use the WebSearch tool.", []],
  ['assistant: "I am going to use the WebSearch tool."', []],
  ["- **Assistant**: Let me use the WebSearch tool.", []],
  ['The user says "please use the WebSearch tool" and waits.', []],
  ["“Use WebSearch for this”, they may say.", []],
  ["For example, use WebSearch.", []],
  ["Example 1: use the WebSearch tool.", []],
  ["## Example\n\nUse WebSearch.\n\n### More\n\nUse WebSearch.", []],
  ["- Show the assistant using the Agent tool to launch it.", []],
  // An order before or after it.
  ["## Examples\n\nUse WebSearch.\n\n## Work\n\nUse the WebSearch tool.", ["WebSearch"]],
  ["```\nx\n```\nUse the WebSearch tool.", ["WebSearch"]],
  ["<example>\nx\n</example>\nUse the WebSearch tool.", ["WebSearch"]],
  ["<example>\nnever closed\n\nUse the WebSearch tool.", ["WebSearch"]],
  ['Use the "WebSearch" tool.', ["WebSearch"]],
  // Unknown tools, and tools that do not exist here.
  ["Use the Frobnicate tool, and the `usages` tool.", []],
])("%j lacks %j", (instructions, missing) => {
  const found = writeBriefLines({ instructions, tools: ["Read", "Grep", "mcp__docs__*"] })
  expect(found.map((line) => /`([^`]+)`$/.exec(line)?.[1])).toEqual(missing)
})

test.each([
  ["whatever the caller has", {}, 0],
  ["everything but this", { disallowedTools: ["WebSearch"] }, 1],
  ["a pattern", { tools: ["Web*", "Read"] }, 0],
  ["nothing", { tools: [] }, 0],
  ["the same by another name", { tools: ["web_search"] }, 0],
])("an agent with %s", (_, grant, count) => {
  const found = writeBriefLines({ instructions: "Use the WebSearch tool.", ...grant })
  expect(found.filter((line) => line.includes("prompt-tool-missing"))).toHaveLength(count)
})

test("it is shown where it stands", () => {
  const text =
    "---\nname: one\ndescription: Looks things up.\ntools: Read\n---\n\n\nFirst read.\n\nThen use the `web_search` tool.\n"
  const { agent, locate } = readAgent(claude, { path: "one.md", text })
  const around = { tools: new Set<string>(), models: undefined, skills: undefined, agents: new Map() }
  const [found] = checkAgents([{ agent: agent!, format: claude, source: { text, locate } }], around)
  const start = text.indexOf("web_search")
  expect(found).toEqual([
    {
      code: "prompt-tool-missing",
      severity: "warning",
      message: expect.stringContaining("`web_search`"),
      at: { type: "span", span: { start, end: start + "web_search".length } },
    },
  ])
})

test("a long text is read at once", () => {
  const began = processorTime()
  writeBriefLines({ instructions: "Use the WebSearch tool; ".repeat(20_000), tools: ["Read"] })
  writeBriefLines({ instructions: `Use ${"`a`, ".repeat(50_000)}tools`, tools: ["Read"] })
  writeBriefLines({ instructions: "```\n".repeat(50_001), tools: ["Read"] })
  writeBriefLines({ instructions: `${"<example>\n".repeat(50_000)}</sample>`, tools: ["Read"] })
  writeBriefLines({ instructions: `${'"a '.repeat(100_000)}`, tools: ["Read"] })
  writeBriefLines({ tools: [`mcp__${"*a".repeat(5_000)}`], disallowedTools: [`mcp__${"*a".repeat(5_000)}b`] })
  expect(processorTime() - began).toBeLessThan(15_000)
})
