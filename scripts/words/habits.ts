/** Habits that make a sentence need a second reading. Each finds its places in one text of prose. */
const proseHabits = ["headless", "nobody", "longSentence", "longParagraph"] as const
type ProseHabit = (typeof proseHabits)[number]

/** A sentence of src that a test asserts makes every change of its words touch that test too. */
export const habits = [...proseHabits, "assertedMessage"] as const
export type Habit = (typeof habits)[number]

export const longestSentence = 25
export const longestParagraph = 90

/** Counts each habit in a paragraph. */
export function countHabits(paragraph: string): Readonly<Record<ProseHabit, number>> {
  const prose = withoutCode(paragraph)
  return {
    headless: isHeadless(prose) ? 1 : 0,
    nobody: prose.match(/\b(?:nobody|somebody|whoever|whom)\b/gi)?.length ?? 0,
    longSentence: sentencesOf(prose).filter((sentence) => wordsIn(sentence) > longestSentence).length,
    longParagraph: wordsIn(prose) > longestParagraph ? 1 : 0,
  }
}

/** A clause stands where the subject should: "What a run needs." A question is none, nor is "Where X is so, Y". */
function isHeadless(prose: string): boolean {
  const [first = ""] = sentencesOf(prose)
  if (first.endsWith("?")) return false
  if (/^(?:where|whether|how|why)\b/i.test(first)) return !first.includes(",")
  return /^(?:what|whatever|who|whoever|whom|whose|which)\b/i.test(first)
}

/** Code counts as one word, and no full stop in it ends a sentence. Links count by what is shown of them. */
const withoutCode = (text: string): string =>
  text
    .replace(/(`+)[^`]*\1/g, "CODE")
    .replace(/\]\([^)\s]*\)/g, "]")
    .replace(/https?:\/\/\S+/g, "CODE")
    .replace(/[*_[\]]/g, "")
    .trim()

const sentencesOf = (prose: string): readonly string[] =>
  prose
    .split(/(?<=[.!?])["')\]]*\s+(?=["'([]*[A-Z0-9])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")

const wordsIn = (prose: string): number =>
  prose.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length
