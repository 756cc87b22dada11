import { expect, test } from "vitest"
import type { Agent } from "../../agent/agent.ts"
import { applyFixes } from "../../ground/diagnostics/apply-fixes.ts"
import { cadre } from "../formats/cadre.ts"
import { claude } from "../formats/claude.ts"
import type { Format } from "../formats/format.ts"
import { diagnose } from "../formats/problem.ts"
import { readAgent } from "../formats/read-agent.ts"
import { checkAgents } from "./check.ts"
import type { RuleFacts } from "./rule.ts"

const front = (lines: string) => `---\nname: one\ndescription: Does it.\n${lines}\n---\n\nDo it.\n`

test.each<[string, Format, string, string, string]>([
  [
    "a text with commas",
    claude,
    "one.md",
    front("tools: Read, ReadFile, READ"),
    front("tools: Read, ReadFile, Read"),
  ],
  [
    "a text in quotes",
    claude,
    "one.md",
    front('tools: "Read, WEB-FETCH, Grep"'),
    front('tools: "Read, WebFetch, Grep"'),
  ],
  [
    "a text of several lines",
    claude,
    "one.md",
    front("tools: Read,\n  WEB_FETCH # GREP\n"),
    front("tools: Read,\n  WebFetch # GREP\n"),
  ],
  ["a list in brackets", claude, "one.md", front('tools: ["READ", Grep]'), front('tools: ["Read", Grep]')],
  [
    "a list in single quotes",
    claude,
    "one.md",
    front("tools: [Grep, 'READ']"),
    front("tools: [Grep, 'Read']"),
  ],
  [
    "a list of lines",
    claude,
    "one.md",
    front("tools:\n  - Read\n  - BASH(git:*)"),
    front("tools:\n  - Read\n  - Bash(git:*)"),
  ],
  [
    "a name that a comment has too",
    claude,
    "one.md",
    front("tools:\n  - Read # not GREP\n  - GREP\n  - Edit # nor GREP"),
    front("tools:\n  - Read # not GREP\n  - Grep\n  - Edit # nor GREP"),
  ],
  [
    "a name that another has in it",
    claude,
    "one.md",
    front("tools: [mcp__x__GREP, Read(GREP), GREP]"),
    front("tools: [mcp__x__GREP, Read(GREP), Grep]"),
  ],
  ["nothing but other cases", claude, "one.md", front("tools: READ, GREP"), front("tools: Read, Grep")],
  ["what is taken away", claude, "one.md", front("disallowedTools: BASH"), front("disallowedTools: Bash")],
  [
    "an agent",
    claude,
    "one.md",
    front("tools: Agent(reviewer-2, Reviewer)"),
    front("tools: Agent(reviewer-2, reviewer)"),
  ],
  [
    "a JSON file",
    cadre,
    "one.json",
    '{ "name": "one", "description": "Does it.", "instructions": "Do it.", "model": "sonnet", "tools": ["Read", "WRITE"] }',
    '{ "name": "one", "description": "Does it.", "instructions": "Do it.", "model": "sonnet", "tools": ["Read", "Write"] }',
  ],
])("%s is mended where it stands", (_, format, file, text, mended) => {
  expect(fixed(format, file, text)).toBe(mended)
})

/** A guess is only suggested, never written: it might grant more than the author granted. */
test.each([
  ["a slip in a tool", "tools: Read, Bsh"],
  ["nothing but slips", "tools: Raed, Gerp"],
  ["a slip before a comment", "tools:\n  - Read # not Gerp\n  - Gerp"],
  ["a slip in what is taken away", "disallowedTools: Bsh"],
  ["another host's name in another spelling", "tools: Read, Run-Shell-Command"],
  ["a slip in an agent", "tools: Agent(reviewr)"],
  ["an agent that reads as something else in YAML", "tools: Agent(A #B)"],
  ["an agent with a colon", 'tools: ["Agent(A: B)"]'],
  ["an agent that reads as a number", "tools: Agent(1 2)"],
  ["an agent that reads as nothing", "tools: Agent(NULL)"],
  ["an escape", 'tools: [Read, "\\x47REP"]'],
  ["an alias", "metadata: &a GREP\ntools: [Read, *a]"],
])("%s is left as it is", (_, lines) => {
  expect(fixed(claude, "one.md", front(lines))).toBe(front(lines))
})

test("a finding about an item of a list is shown there", () => {
  const text = front("tools:\n  - Read # not Gerp\n  - Gerp")
  const { agent, locate } = readAgent(claude, { path: "one.md", text })
  const [problems] = checkAgents(
    [{ agent: agent!, format: claude, source: { text, locate } }],
    around(agent!),
  )
  const start = text.lastIndexOf("Gerp")
  expect(problems!.map(({ code, at }) => [code, locate(at)])).toEqual([
    ["tool-unknown", { start, end: start + 4 }],
  ])
})

function around(agent: Agent): RuleFacts {
  return {
    tools: new Set(),
    agents: new Map(["reviewer", "reviewer-2", "a #b", "a: b", "1-2", "null"].map((name) => [name, agent])),
  }
}

/** Applies all fixes that need no confirmation. */
function fixed(format: Format, file: string, text: string): string {
  const { agent, locate } = readAgent(format, { path: file, text })
  const [problems] = checkAgents([{ agent: agent!, format, source: { text, locate } }], around(agent!))
  return applyFixes(text, diagnose(file, text, locate, problems!)).text
}
