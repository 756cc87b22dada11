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
      for (const [other, count] of shared.entries()) {
        const likeness = count < 3 ? 0 : likenessOf(told, active[other]!.told, count)
        if (likeness > (closest?.likeness ?? 0)) closest = { index: other, likeness }
      }
      if (closest) report(subject, active[closest.index]!.subject)
    }
  },
}

/** How many of the words of two descriptions are common to both, from 0 to 1; 0 where something sets them apart. */
function likenessOf(one: DescriptionWords, other: DescriptionWords, shared: number): number {
  const likeness = (2 * shared) / (one.words.size + other.words.size)
  // In a short description every single word makes a difference.
  const enough = Math.min(one.words.size, other.words.size) < 8 ? 0.85 : 0.45
  return likeness < enough || isApart(one, other) || isApart(other, one) ? 0 : likeness
}

const isApart = (one: DescriptionWords, other: DescriptionWords): boolean =>
  [...one.marks].some((mark) => !other.words.has(mark))

function report(subject: Subject, other: Subject): void {
  const same = subject.agent.description === other.agent.description ? "the same as" : "too much like"
  subject.report({
    message: `This description is ${same} that of \`${other.agent.name}\`: which of the two gets a task is chance. Say in each what the other one does not do, or remove one.`,
    at: at(subject, "description"),
  })
}
