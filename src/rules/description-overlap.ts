import { type DescriptionWords, describedWords } from "./description-words.ts"
import { at, type DiagnosticRule, type Subject } from "./rule.ts"

export const descriptionOverlap: DiagnosticRule = {
  code: "description-overlap",
  severity: "warning",
  title: "Two agents that cannot be told apart by their descriptions",
  why: "Whoever routes a task, a model or the keyword router, sees only names and descriptions. Where two say the same, which of them gets the task is chance.",
  fix: "Say in each description what the other one does not do, or remove one of them.",
  example: {
    file: ".claude/agents/code-checker.md",
    text: "---\nname: code-checker\ndescription: Checks pull requests for bugs, security and style before they are merged.\n---\n\nCheck the code.\n",
    beside: [
      {
        file: ".claude/agents/change-guard.md",
        text: "---\nname: change-guard\ndescription: Checks pull requests for bugs, style and security before they are merged.\n---\n\nCheck the change.\n",
      },
    ],
  },
  checkAll(subjects, { agents }) {
    const active = subjects
      .filter(({ agent }) => !agent.hidden && agents.get(agent.name) === agent)
      .map((subject) => ({ subject, told: describedWords(subject.agent) }))
      .filter(({ told }) => told.words.size >= 3)
      .sort((left, right) => (left.subject.agent.name < right.subject.agent.name ? -1 : 1))
    const holders = new Map<string, number[]>()
    for (const [index, { subject, told }] of active.entries()) {
      const shared = new Uint16Array(index)
      for (const word of told.words) {
        const others = holders.get(word) ?? []
        for (const other of others) shared[other]!++
        others.push(index)
        holders.set(word, others)
      }
      let closest: { readonly index: number; readonly likeness: number } | undefined
      for (let other = 0; other < index; other++) {
        const count = shared[other]!
        if (count < 3) continue
        const likeness = likenessOf(told, active[other]!.told, count, closest?.likeness ?? 0)
        if (likeness !== undefined) closest = { index: other, likeness }
      }
      if (closest) report(subject, active[closest.index]!.subject)
    }
  },
}

/**
 * How many of the words of two descriptions are common to both, from 0 to 1; undefined where that is no more than
 * another pair has, or something sets them apart.
 */
function likenessOf(
  one: DescriptionWords,
  other: DescriptionWords,
  shared: number,
  best: number,
): number | undefined {
  const likeness = (2 * shared) / (one.words.size + other.words.size)
  // In a short description every single word makes a difference.
  const enough = Math.min(one.words.size, other.words.size) < 8 ? 0.85 : 0.45
  if (likeness <= best || likeness < enough || isApart(one, other) || isApart(other, one)) return undefined
  return likeness
}

function isApart(one: DescriptionWords, other: DescriptionWords): boolean {
  for (const mark of one.marks) if (!other.words.has(mark)) return true
  return false
}

function report(subject: Subject, other: Subject): void {
  const same = subject.agent.description === other.agent.description ? "the same as" : "too much like"
  subject.report({
    message: `This description is ${same} that of \`${other.agent.name}\`: which of the two gets a task is chance. Say in each what the other one does not do, or remove one.`,
    at: at(subject, "description"),
  })
}
