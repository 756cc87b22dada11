import { entryPlace, entrySpan } from "./entry-place.ts"
import { anyList } from "./named-tool.ts"
import { didYouMean, knownNamesOf, quoted } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"
import { shown } from "./shown.ts"
import { spellingFix } from "./spelling-fix.ts"

export const skillUnknown: DiagnosticRule = {
  code: "skill-unknown",
  severity: "warning",
  title: "A skill that is not there",
  why: "The skill's text is to be in the prompt before the first turn; where it is not there, the agent does not start.",
  fix: "Write the name of a skill that is there, add the skill, or remove it from the list.",
  example: {
    file: ".claude/agents/committer.md",
    text: "---\nname: committer\ndescription: Writes commits.\nskills: comit-messages\n---\n\nWrite the commit.\n",
  },
  check(subject, surroundings) {
    const { skills } = surroundings
    if (!skills) return
    const listed = anyList(subject.agent.skills).filter((skill) => typeof skill === "string")
    const known = skillNames(surroundings)
    for (const [index, skill] of listed.entries()) {
      if (skills.has(skill)) continue
      const near = known.near(skill)
      const others =
        near.length > 0
          ? didYouMean(near)
          : skills.size > 0
            ? ` Known: ${quoted(known.sorted, "and")}.`
            : " There are no skills at all."
      subject.report({
        message: `There is no skill \`${shown(skill)}\`, so the agent cannot start.${others}`,
        at: entryPlace(subject, "skills", listed, index),
        ...(near.length === 1 &&
          subject.source &&
          spellingFix(skill, near[0]!, () => entrySpan(subject, "skills", listed, index))),
      })
    }
  },
}

const skillNames = knownNamesOf(({ skills }) => skills ?? [])
