import { shownName } from "../../ground/errors.ts"
import { splitToolName } from "./look-up.ts"

/**
 * What keeps the name of a tool with its argument, such as `Bash(git:*)`, from meaning what it was written for; undefined
 * where nothing does. Whoever reads such texts asks it: one that is taken for the name of a tool would decide nothing.
 */
export function toolTextProblem(text: string): string | undefined {
  // Without parentheses there is nothing to be wrong.
  if (!text.includes("(") && !text.includes(")")) return undefined
  const trimmed = text.trim()
  const shown = shownName(text)
  const parentheses = parenthesesProblem(trimmed)
  if (parentheses !== undefined)
    return `${shown} names no tool: ${parentheses}. Write it such as \`Bash(git:*)\` or \`Agent(reviewer, tester)\`.`
  const { name: whole, argument } = splitToolName(trimmed)
  if (argument === undefined) return undefined
  const name = brief(whole)
  if (argument === "")
    return `The parentheses of ${shown} are empty: it is not clear whether none or all are meant. Name what is meant, or write \`${name}\` for all.`
  if (/^:?\**:\*?$/.test(argument))
    return `There is nothing before the colon of ${shown}, so it is not clear what is meant. Name it, or write \`${name}\` for all.`
  const prefix = looseEnd(argument)
  if (prefix !== undefined)
    return `${shown} ends otherwise than \`:*\`, so it would be read to the letter. Write \`${name}(${brief(prefix)}:*)\`.`
  return undefined
}

/** What stands before `: *`, ` :*`, ` :` or `:` at the end of an argument; undefined where it ends otherwise. */
function looseEnd(argument: string): string | undefined {
  const isStarred = argument.endsWith("*")
  const unstarred = isStarred ? argument.slice(0, -1) : argument
  const ended = unstarred.trimEnd()
  if (!ended.endsWith(":")) return undefined
  const before = ended.slice(0, -1)
  const prefix = before.trimEnd()
  const isApart = prefix.length < before.length
  const isSpaced = ended.length < unstarred.length
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
    if (depth === 0 && at < text.length - 1) return "something stands behind its parentheses"
  }
  return depth === 0 ? undefined : "its parenthesis is not closed"
}
