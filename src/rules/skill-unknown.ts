import { entryPlace } from "./entry-place.ts"
import { didYouMean, nearNames, quoted } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"

export const skillUnknown: DiagnosticRule = {
  code: "skill-unknown",
  severity: "warning",
  title: "A skill that is not there",
  why: "The skill's text is to be in the prompt before the first turn; without it the agent works on less than its author thought.",
  fix: "Write the name of a skill that is there, add the skill, or remove it from the list.",
  example: {
    file: ".claude/agents/committer.md",
    text: "---\nname: committer\ndescription: Writes commits.\nskills: comit-messages\n---\n\nWrite the commit.\n",
  },
  check(subject, { skills }) {
    if (!skills) return
    const listed = subject.agent.skills ?? []
    for (const [index, skill] of listed.entries()) {
      if (skills.has(skill)) continue
      const near = nearNames(skill, skills)
      const place = entryPlace(subject, "skills", listed, index)
      const known =
        near.length > 0
          ? didYouMean(near)
          : skills.size > 0
            ? ` Known: ${quoted([...skills].sort(), "and")}.`
            : " There are no skills at all."
      subject.report({
        message: `There is no skill \`${skill}\`, so the agent starts without it.${known}`,
        at: place,
        ...(near.length === 1 && {
          fix: { title: `Write \`${near[0]}\``, edits: [{ at: place, text: near[0]! }] },
        }),
      })
    }
  },
}
