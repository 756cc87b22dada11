import { entryPlace } from "../entry-place.ts"
import { at, type DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"

export const toolDuplicate: DiagnosticRule = {
  code: "tool-duplicate",
  severity: "warning",
  title: "A tool that is listed twice",
  why: "The second time changes nothing: usually another tool was meant, or a list was put together by hand.",
  fix: "Remove one of the two, or write the tool that was meant.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep, Read\n---\n\nReview the changes.\n",
  },
  check(subject) {
    for (const part of ["allow", "deny"] as const) {
      const known = new Map<string, number>()
      for (const [index, text] of subject.agent.tools[part].entries()) {
        const first = known.get(text)
        if (first === undefined) {
          known.set(text, index)
          continue
        }
        subject.report({
          message: `\`${shown(text)}\` is already number ${first + 1} of this list; naming it again changes nothing. Remove it, or write the tool that was meant.`,
          at: entryPlace(subject, `tools.${part}`, subject.agent.tools[part], index),
        })
      }
    }
    const known = new Map<string, number>()
    subject.agent.rules.forEach(({ tool, decision }, index) => {
      const first = known.get(`${decision} ${tool}`)
      if (first === undefined) known.set(`${decision} ${tool}`, index)
      else
        subject.report({
          message: `The same rule for \`${shown(tool)}\` is already number ${first + 1}; this one changes nothing. Remove it.`,
          at: at(subject, "rules", index),
        })
    })
  },
}
