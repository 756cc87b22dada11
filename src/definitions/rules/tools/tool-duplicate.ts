import { locateEntry } from "../entry-place.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"
import { shorten } from "../shorten.ts"

export const toolDuplicate: DiagnosticRule = {
  code: "tool-duplicate",
  severity: "warning",
  title: "A tool that is listed twice",
  why: "The second entry changes nothing. Usually the author meant another tool.",
  fix: "Remove one of the two, or write the tool that you meant.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep, Read\n---\n\nReview the changes.\n",
  },
  check(subject) {
    for (const part of ["allow", "deny"] as const) {
      const indexes = new Map<string, number>()
      for (const [index, text] of subject.agent.tools[part].entries()) {
        const first = indexes.get(text)
        if (first === undefined) {
          indexes.set(text, index)
          continue
        }
        subject.report({
          message: `\`${shorten(text)}\` is already entry ${first + 1} of this list, so this entry changes nothing. Remove it, or write the tool that you meant.`,
          at: locateEntry(subject, `tools.${part}`, subject.agent.tools[part], index),
        })
      }
    }
    const indexes = new Map<string, number>()
    subject.agent.rules.forEach(({ tool, decision }, index) => {
      const first = indexes.get(`${decision} ${tool}`)
      if (first === undefined) indexes.set(`${decision} ${tool}`, index)
      else
        subject.report({
          message: `Rule ${first + 1} already says the same for \`${shorten(tool)}\`, so this rule changes nothing. Remove it.`,
          at: locatePart(subject, "rules", index),
        })
    })
  },
}
