import { at, type DiagnosticRule, type Subject } from "../rule.ts"
import { shown } from "../shown.ts"
import { type DescriptionWords, describedWords } from "./description-words.ts"

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
    for (const [index, other] of closestOf(active.map(({ told }) => told)))
      report(active[index]!.subject, active[other]!.subject)
  },
}

/** Steps after which only the first who have a word, and the first who have some in common, are compared. */
const enoughSteps = 50_000_000
const fewHolders = 20
const fewOthers = 200

/** Of each description that is too much like an earlier one: which is closest to it. */
function closestOf(all: readonly DescriptionWords[]): ReadonlyMap<number, number> {
  const closest = new Map<number, number>()
  const firsts = new Map<string, number>()
  const holders = new Map<string, number[]>()
  const shared = new Uint16Array(all.length)
  let steps = 0
  for (const [index, told] of all.entries()) {
    // Where all words are the same nothing is closer, and nothing sets them apart.
    const key = [...told.words].sort().join(" ")
    const first = firsts.get(key)
    if (first !== undefined) {
      closest.set(index, first)
      continue
    }
    firsts.set(key, index)
    const isMuch = steps > enoughSteps
    const met: number[] = []
    for (const word of told.words) {
      const others = holders.get(word) ?? []
      const count = isMuch ? Math.min(others.length, fewHolders) : others.length
      for (let at = 0; at < count; at++) if (shared[others[at]!]!++ === 0) met.push(others[at]!)
      steps += count
      others.push(index)
      holders.set(word, others)
    }
    let best: Likeness | undefined
    for (const other of isMuch ? met.slice(0, fewOthers) : met) {
      if (shared[other]! < 3) continue
      steps += told.marks.size
      const likeness = likenessOf(told, all[other]!, shared[other]!)
      if (isCloser(likeness, other, best) && isAlike(told, all[other]!, likeness))
        best = { index: other, likeness }
    }
    for (const other of met) shared[other] = 0
    if (best) closest.set(index, best.index)
  }
  return closest
}

interface Likeness {
  readonly index: number
  readonly likeness: number
}

const isCloser = (likeness: number, index: number, best: Likeness | undefined): boolean =>
  !best || likeness > best.likeness || (likeness === best.likeness && index < best.index)

/** How many of the words of two descriptions are common to both, from 0 to 1. */
const likenessOf = (one: DescriptionWords, other: DescriptionWords, shared: number): number =>
  (2 * shared) / (one.words.size + other.words.size)

/** Whether nothing sets two descriptions apart. */
function isAlike(one: DescriptionWords, other: DescriptionWords, likeness: number): boolean {
  // In a short description every single word makes a difference.
  const enough = Math.min(one.words.size, other.words.size) < 8 ? 0.85 : 0.45
  return likeness >= enough && !isApart(one, other) && !isApart(other, one)
}

function isApart(one: DescriptionWords, other: DescriptionWords): boolean {
  for (const mark of one.marks) if (!other.words.has(mark)) return true
  return false
}

function report(subject: Subject, other: Subject): void {
  const same = subject.agent.description === other.agent.description ? "the same as" : "too much like"
  subject.report({
    message: `This description is ${same} that of \`${shown(other.agent.name)}\`: which of the two gets a task is chance. Say in each what the other one does not do, or remove one.`,
    at: at(subject, "description"),
  })
}
