import { splitToolName } from "./look-up.ts"

/**
 * What keeps the name of a tool with its argument, such as `Bash(git:*)`, from meaning what it was written for; undefined
 * where nothing does. Whoever reads such texts asks it: one that is taken for the name of a tool would decide nothing.
 */
export function toolTextProblem(text: string): string | undefined {
  const trimmed = text.trim()
  const shown = JSON.stringify(text)
  const parentheses = parenthesesProblem(trimmed)
  if (parentheses !== undefined) return `${shown} is no tool with its argument: ${parentheses}.`
  const { name, argument } = splitToolName(trimmed)
  if (argument === undefined) return undefined
  if (argument === "")
    return `The parentheses of ${shown} are empty. Say what is meant, or write \`${name}\` for all of it.`
  if (/^:?\**:\*?$/.test(argument))
    return `There is nothing before the colon of ${shown}. Write \`${name}\` for all of it.`
  const [, prefix] = /^(.*?)(?:\s+:\s*\*?|:\s+\*|:)$/s.exec(argument) ?? []
  if (prefix !== undefined)
    return `${shown} ends otherwise than \`:*\`, so it would be read to the letter. Write \`${name}(${prefix}:*)\`.`
  return undefined
}

function parenthesesProblem(text: string): string | undefined {
  const [open, close] = [text.indexOf("("), text.indexOf(")")]
  if (open < 0 && close < 0) return undefined
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
