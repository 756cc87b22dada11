/**
 * Statements of the source designs that do not hold yet, each with what it waits for. The entries show in every report
 * of the tests; who makes one hold writes its test and takes it out of here.
 */
import { describe, test } from "vitest"

const waiting: Readonly<Record<string, readonly (readonly [statement: string, waitsFor: string])[]>> = {
  "000 Remora": [
    ["a .gguf file is loaded and asked without a server", "local models"],
    ["nodes of a project are found, and each operation runs for each of them", "code nodes"],
  ],
  "001 Codex": [["subagents/list and subagents/run over MCP", "the MCP server"]],
  "001 Codex, 002 acai, 004 Gobby": [
    [
      "a subagent has the tools of its own file, whatever its caller has",
      "the rule about what a subagent may use",
    ],
  ],
  "003 instructor-php": [["agents are listed, read and written by tools of a model", "the MCP server"]],
  "004 Gobby": [
    ["a hook, a step or a pipeline calls a tool of an MCP server", "the MCP client"],
    ["agents are spawned, listed and stopped over MCP", "the MCP server"],
  ],
}

describe.each(Object.entries(waiting))("%s", (_, statements) => {
  for (const [statement, waitsFor] of statements) test.todo(`${statement} (waits for: ${waitsFor})`)
})
