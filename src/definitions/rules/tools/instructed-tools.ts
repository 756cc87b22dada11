import { withoutExamples } from "./without-examples.ts"

/** A tool that instructions tell the model to use. */
export interface InstructedTool {
  readonly name: string
  /** The place of the name in the instructions. */
  readonly start: number
}

/**
 * Finds tools that instructions tell the model to use: "use the Bash tool", "using `read_file`", "with WebSearch". A name
 * does not count if it is forbidden, conditional, for another host such as Cursor, or part of an example.
 */
export function findInstructedTools(instructions: string): readonly InstructedTool[] {
  if (!hints.test(instructions) && !hasBackquote(instructions)) return []
  const text = withoutExamples(instructions)
  const tools: InstructedTool[] = []
  let matchCount = 0
  for (const match of text.matchAll(useOfTools)) {
    if (++matchCount > mostMatches) break
    const [whole, , list, ending = ""] = match
    const after = text.slice(match.index + whole.length)
    if (isDoubtful(sentenceAround(text, match.index, whole.length)) || /^\s+or\b|^\//.test(after)) continue
    if (ending === "" && otherThings.test(after)) continue
    const from = match.index + whole.indexOf(list!)
    for (const piece of list!.matchAll(names)) {
      const name = piece[1]!
      if (isNamed(name, piece[0], ending))
        tools.push({ name, start: from + piece.index + piece[0].indexOf(name) })
    }
  }
  return tools
}

/** Every match contains one of these hints, or a name in backquotes outside of fences. */
const hints = /mcp__|WebFetch|WebSearch|TodoWrite|MultiEdit|\stools?\b/i
const opensFence = /[^\S\n]*(?:>[^\S\n]*|[-*+][^\S\n]+|\d+[.)][^\S\n]+)*`{3,}[^`\n\r\u2028\u2029]*(?:\n|$)/y

/** Visits only lines with backquotes. Most lines have none, and a pattern would test all their characters. */
function hasBackquote(text: string): boolean {
  for (let at = text.indexOf("`"); at >= 0; at = nextLine(text, at)) {
    opensFence.lastIndex = text.lastIndexOf("\n", at) + 1
    if (!opensFence.test(text)) return true
  }
  return false
}

/** The first backquote after the line of an offset, or -1. */
function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at)
  return end < 0 ? -1 : text.indexOf("`", end)
}

/** The most matches that are checked; real instructions have a few dozen. */
const mostMatches = 5_000

const name = '[`*"#]{0,3}[A-Za-z_][\\w-]*(?:\\/[A-Za-z]+)?[`*"]{0,3}'
const names = /[`*"#]{0,3}([A-Za-z_][\w-]*(?:\/[A-Za-z]+)?)[`*"]{0,3}/g
const useOfTools = new RegExp(
  `\\b(use|using|call|calling|invoke|invoking|with|via)\\s+(?:the\\s+|your\\s+)?(${name}(?:(?:,\\s+and\\s+|,\\s+|\\s+and\\s+)${name})*)(\\s+tools?\\b)?`,
  "gi",
)

/** Words after a name that show that it is not a tool, such as in `apply_patch function`. */
const otherThings =
  /^\s+(?:functions?|methods?|helpers?|commands?|scripts?|modules?|packages?|librar|class|hooks?|APIs?|endpoints?|traits?|types?|interfaces?|syntax|statements?|calls?\b)/i

const words = new Set(["Agent", "Bash", "Edit", "Glob", "Grep", "LS", "Read", "Skill", "Task", "Write"])

/** True if a name is clearly a tool: the text calls it a tool, or it is spelled like no ordinary word. */
function isNamed(name: string, written: string, ending: string): boolean {
  const isQuoted = written.includes("`")
  if (/^mcp__\w+__\w+/.test(name) || /^(?:WebFetch|WebSearch|TodoWrite|MultiEdit)$/.test(name)) return true
  if (ending !== "") return words.has(name) || (isQuoted && name !== "tools")
  return isQuoted && /_|[a-z][A-Z]|^(?:websearch|webfetch|todowrite)$/.test(name)
}

/** The sentence that contains a piece of text, within its line. */
function sentenceAround(text: string, start: number, length: number): string {
  let begin = start
  while (begin > 0 && start - begin < 400 && !isEnd(text, begin - 1)) begin--
  let end = start + length
  while (end < text.length && end - start < 400 && !isEnd(text, end)) end++
  return text.slice(begin, end)
}

const isEnd = (text: string, at: number): boolean =>
  text[at] === "\n" || (/[.!?;]/.test(text[at]!) && /\s/.test(text[at + 1] ?? " "))

/** True if a sentence forbids, is conditional, or is about another agent or another host. */
const isDoubtful = (sentence: string): boolean =>
  /\b(?:not|never|don['’]t|avoid|without|instead of|rather than|cannot|can['’]t|no longer|unless|lacks?|unavailable|would|could|may|might|optional(?:ly)?)\b/i.test(
    sentence,
  ) ||
  /\b(?:if|when(?:ever)?|where) (?:you (?:have|can)|available|possible|supported|present|it (?:is|exists)|they)/i.test(
    sentence,
  ) ||
  /\b(?:if|when) [^,.]{0,60}\b(?:available|enabled|installed|configured|connected|granted)\b/i.test(
    sentence,
  ) ||
  /\b(?:Claude Code|Claude Desktop|Copilot|Cursor|Codex|Gemini|Windsurf|VS ?Code|opencode)\b\W{0,4}:/i.test(
    sentence,
  ) ||
  /^\W*(?:show|demonstrate|illustrate)\b|\b(?:for example|for instance|e\.g\.)/i.test(sentence) ||
  /\b(?:assistant|claude|model)\s+(?:is\s+)?(?:us(?:es|ing)|call(?:s|ing)|invok(?:es|ing))\b/i.test(
    sentence,
  ) ||
  /\b(?:sub-?agents?|the (?:child|worker|parent|orchestrator|user|caller)) (?:should|must|will|uses?|can|calls?)\b/i.test(
    sentence,
  )
