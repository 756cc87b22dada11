import { expect, test } from "vitest"
import { cadre } from "../formats/cadre.ts"
import { claude } from "../formats/claude.ts"
import { type Format, readAgent } from "../formats/format.ts"
import { checkAgents } from "./check.ts"

const front = (lines: string) => `---\nname: one\ndescription: Does it.\n${lines}\n---\n\nDo it.\n`

test.each<[string, Format, string, string, string]>([
  [
    "a text with commas",
    claude,
    "one.md",
    front("tools: Read, ReadFile, Raed"),
    front("tools: Read, ReadFile, Read"),
  ],
  ["a list in brackets", claude, "one.md", front('tools: ["READ", Grep]'), front('tools: ["Read", Grep]')],
  [
    "a list of lines",
    claude,
    "one.md",
    front("tools:\n  - Read\n  - Bsh(git:*)"),
    front("tools:\n  - Read\n  - Bash(git:*)"),
  ],
  ["nothing but slips", claude, "one.md", front("tools: Raed, Gerp"), front("tools: Read, Grep")],
  ["what is taken away", claude, "one.md", front("disallowedTools: Bsh"), front("disallowedTools: Bash")],
  [
    "an agent",
    claude,
    "one.md",
    front("tools: Agent(reviewer-2, reviewr)"),
    front("tools: Agent(reviewer-2, reviewer)"),
  ],
  ["a skill", claude, "one.md", front("skills: [comits]"), front("skills: [commits]")],
  ["a model", claude, "one.md", front("model: 'Claude Sonnet 4.5'"), front("model: claude-sonnet-4-5")],
  [
    "a JSON file",
    cadre,
    "one.json",
    '{ "name": "one", "description": "Does it.", "instructions": "Do it.", "tools": ["Read", "Wirte"] }',
    '{ "name": "one", "description": "Does it.", "instructions": "Do it.", "tools": ["Read", "Write"] }',
  ],
])("%s is mended where it stands", (_, format, file, text, mended) => {
  const { agent, locate } = readAgent(format, { path: file, text })
  const [problems] = checkAgents([{ agent: agent!, format, source: { text, locate } }], {
    tools: new Set(),
    models: undefined,
    skills: new Set(["commits"]),
    agents: new Map([
      ["reviewer", agent!],
      ["reviewer-2", agent!],
    ]),
  })
  const edits = problems!
    .flatMap(({ fix }) => fix?.edits ?? [])
    .map(({ at, text }) => ({ ...locate(at)!, text }))
  const result = edits
    .sort((left, right) => right.start - left.start)
    .reduce((whole, { start, end, text }) => whole.slice(0, start) + text + whole.slice(end), text)
  expect(result).toBe(mended)
})
