import { expect, test } from "vitest"
import { grantText } from "./grant-text.ts"

test.each([
  ["tools: Bash", "may run commands (Bash)"],
  [
    "tools: execute/runInTerminal, read/readFile",
    "may run commands (Bash, written execute/runInTerminal); read files (Read, written read/readFile)",
  ],
  [
    "tools: Read, Edit, Bash(git:*)",
    "may run commands (Bash(git:*)); change files (Edit); read files (Read)",
  ],
  ["tools: Agent(a, b), WebFetch", "may start other agents (Agent(a, b)); read web pages (WebFetch)"],
  [
    "tools: mcp__x__y, ./count.pym",
    "may use tools of MCP servers (mcp__x__y); run its scripts (./count.pym)",
  ],
  ["every tool except Bash", expect.stringMatching(/^every tool except Bash: commands, .*MCP servers$/)],
  ["hooks", "hooks"],
])("%s", (gain, text) => {
  expect(grantText(gain)).toEqual(text)
})
