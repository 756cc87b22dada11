import { quoteName } from "../../ground/errors.ts"
import { splitToolName } from "./look-up.ts"

/**
 * The problem with a tool name that has an argument, such as `Bash(git:*)`; undefined if there is none.
 * Every reader of such texts calls this, because a misread name would decide nothing.
 */
export function findToolTextProblem(text: string): string | undefined {
  // Only texts with parentheses can be wrong.
  if (!text.includes("(") && !text.includes(")")) return undefined
  const trimmed = text.trim()
  const label = quoteName(text)
  const parentheses = parenthesesProblem(trimmed)
  if (parentheses !== undefined)
    return `${label} is not a valid tool name: ${parentheses}. Write it like \`Bash(git:*)\` or \`Agent(reviewer, tester)\`.`
  const { name: whole, argument } = splitToolName(trimmed)
  if (argument === undefined) return undefined
  const name = brief(whole)
  if (argument === "")
    return `The parentheses of ${label} are empty, which could mean none or all. Write something between them, or write \`${name}\` for all.`
  if (/^:?\**:\*?$/.test(argument))
    return `There is nothing before the colon of ${label}, so its meaning is unclear. Write something before the colon, or write \`${name}\` for all.`
  const prefix = looseEnd(argument)
  if (prefix !== undefined)
    return `${label} does not end with \`:*\`, so it would match only this exact text. Write \`${name}(${brief(prefix)}:*)\`.`
  return undefined
}

/** The text before `: *`, ` :*`, ` :` or `:` at the end of an argument; undefined for other endings. */
function looseEnd(argument: string): string | undefined {
  const isStarred = argument.endsWith("*")
  const unstarred = isStarred ? argument.slice(0, -1) : argument
  const untrailed = unstarred.trimEnd()
  if (!untrailed.endsWith(":")) return undefined
  const before = untrailed.slice(0, -1)
  const prefix = before.trimEnd()
  const isApart = prefix.length < before.length
  const isSpaced = untrailed.length < unstarred.length
  return isApart || isStarred === isSpaced ? prefix : undefined
}

const brief = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

function parenthesesProblem(text: string): string | undefined {
  const [open, close] = [text.indexOf("("), text.indexOf(")")]
  if (open === 0) return "there is no name before its parenthesis"
  if (open < 0 || (close >= 0 && close < open)) return 'there is no "(" for its ")"'
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === "(") depth++
    if (text[at] === ")") depth--
    if (depth === 0 && at < text.length - 1) return "there is text after its parentheses"
  }
  return depth === 0 ? undefined : "its parenthesis is not closed"
}
