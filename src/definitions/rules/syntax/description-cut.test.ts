import { expect, test } from "vitest"
import { applyFixes } from "../../../ground/diagnostics/apply-fixes.ts"
import { claude } from "../../formats/claude.ts"
import { diagnose } from "../../formats/problem.ts"
import { readAgent } from "../../formats/read-agent.ts"
import { checkAgents } from "../check.ts"

const file = (line: string) => `---\nname: one\n${line}\n---\n\nDescription: none.\ndescription: See #12.\n`

/** The description as it is read, the finding about it, and the description after the fix. */
function looked(line: string) {
  const text = file(line)
  const { agent, locate } = readAgent(claude, { path: "one.md", text }, {})
  const [problems = []] = checkAgents([{ agent: agent!, format: claude, source: { text, locate } }], {
    tools: new Set(),
    agents: new Map([[agent!.name, agent!]]),
  })
  const found = diagnose("one.md", text, locate, problems).filter(({ code }) => code === "description-cut")
  const mended = applyFixes(text, found).text
  return {
    before: agent!.description,
    said: found.map(({ message }) => /`(.*?)`/.exec(message)?.[1]),
    after: readAgent(claude, { path: "one.md", text: mended }, {}).agent?.description,
  }
}

test.each([
  ["Mends #12 and more.", "Mends", "#12 and more."],
  ["Posts in #general, or not", "Posts in", "#general, or not"],
  ["&watch the folder", "the folder", "&watch"],
  ['Says "hi" in #general', 'Says "hi" in', "#general"],
])("of %s YAML keeps %s, which is told and mended", (text, before, lost) => {
  expect(looked(`description: ${text}`)).toEqual({ before, said: [lost], after: text })
})

test.each([
  ["description: Mends bugs. # a comment", "Mends bugs."],
  ["description: 'Mends #12 and more.'", "Mends #12 and more."],
  ['description: "Mends #12." # a comment', "Mends #12."],
  ["description: C#12 and F#", "C#12 and F#"],
  ["description: |-\n  Mends #12", "Mends #12"],
  ["description:\n  Mends bugs", "Mends bugs"],
])("nothing is said of %s", (line, text) => {
  expect(looked(line)).toEqual({ before: text, said: [], after: text })
})
