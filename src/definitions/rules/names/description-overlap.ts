import { type DiagnosticRule, locatePart, type Subject } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { type DescriptionWords, extractDescriptionWords } from "./description-words.ts"

export const descriptionOverlap: DiagnosticRule = {
  code: "description-overlap",
  severity: "warning",
  title: "Two agents whose descriptions say the same",
  why: "A model or the keyword router sees only names and descriptions. If two descriptions say the same, chance decides which agent gets the task.",
  fix: "Say in each description what the other agent does not do, or remove one of them.",
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
      .map((subject) => ({ subject, description: extractDescriptionWords(subject.agent) }))
      .filter(({ description }) => description.words.size >= 3)
      .sort((left, right) => (left.subject.agent.name < right.subject.agent.name ? -1 : 1))
    for (const [index, other] of closestOf(active.map(({ description }) => description)))
      report(active[index]!.subject, active[other]!.subject)
  },
}

/** After this many steps, only the first descriptions that share a word are compared, to bound the time. */
const enoughSteps = 50_000_000
const fewHolders = 20
const fewOthers = 200

/** For each description that is too similar to an earlier one: the index of the most similar earlier one. */
function closestOf(all: readonly DescriptionWords[]): ReadonlyMap<number, number> {
  const closest = new Map<number, number>()
  const firsts = new Map<string, number>()
  const holders = new Map<string, number[]>()
  const shared = new Uint16Array(all.length)
  let steps = 0
  for (const [index, description] of all.entries()) {
    // No description can be closer than one with exactly the same words.
    const key = [...description.words].sort().join(" ")
    const first = firsts.get(key)
    if (first !== undefined) {
      closest.set(index, first)
      continue
    }
    firsts.set(key, index)
    const isMuch = steps > enoughSteps
    const candidates: number[] = []
    for (const word of description.words) {
      const others = holders.get(word) ?? []
      const count = isMuch ? Math.min(others.length, fewHolders) : others.length
      for (let at = 0; at < count; at++) if (shared[others[at]!]!++ === 0) candidates.push(others[at]!)
      steps += count
      others.push(index)
      holders.set(word, others)
    }
    let best: Likeness | undefined
    for (const other of isMuch ? candidates.slice(0, fewOthers) : candidates) {
      if (shared[other]! < 3) continue
      steps += description.marks.size
      const likeness = likenessOf(description, all[other]!, shared[other]!)
      if (isCloser(likeness, other, best) && isAlike(description, all[other]!, likeness))
        best = { index: other, likeness }
    }
    for (const other of candidates) shared[other] = 0
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

/** The share of words that two descriptions have in common, from 0 to 1. */
const likenessOf = (one: DescriptionWords, other: DescriptionWords, shared: number): number =>
  (2 * shared) / (one.words.size + other.words.size)

/** True if two descriptions are so similar that a caller cannot choose between them. */
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
  const same = subject.agent.description === other.agent.description ? "the same as" : "too similar to"
  subject.report({
    message: `This description is ${same} that of \`${shorten(other.agent.name)}\`, so chance decides which of the two gets a task. Say in each what the other one does not do, or remove one.`,
    at: locatePart(subject, "description"),
  })
}
