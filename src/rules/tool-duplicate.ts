import { entryPlace } from "./entry-place.ts"
import { at, type DiagnosticRule } from "./rule.ts"

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
    for (const part of ["allow", "deny"] as const)
      for (const [index, text] of subject.agent.tools[part].entries()) {
        const first = subject.agent.tools[part].indexOf(text)
        if (first === index) continue
        subject.report({
          message: `\`${text}\` is already number ${first + 1} of this list; naming it again changes nothing. Remove it, or write the tool that was meant.`,
          at: entryPlace(subject, `tools.${part}`, subject.agent.tools[part], index),
        })
      }
    subject.agent.rules.forEach(({ tool, decision }, index, rules) => {
      const first = rules.findIndex((rule) => rule.tool === tool && rule.decision === decision)
      if (first !== index)
        subject.report({
          message: `The same rule for \`${tool}\` is already number ${first + 1}; this one changes nothing. Remove it.`,
          at: at(subject, "rules", index),
        })
    })
  },
}
