import { readFields, toStringOrEmpty, tryParseJson } from "../json.ts"

/** A refused call, as the model wrote it. */
export interface FailedCall {
  readonly name: string
  readonly arguments: string
  /** The provider's objection. */
  readonly problem: string
}

/**
 * Reads the call from Groq's error `tool_use_failed`: the model did not write the call as its tool requires. Undefined:
 * the error is another one, or the text is not a call.
 */
export function readFailedCall(error: unknown): FailedCall | undefined {
  const { code, failed_generation, message } = readFields(error)
  if (code !== "tool_use_failed" || typeof failed_generation !== "string") return undefined
  const text = failed_generation.trim().replace(/^<tool_call>|<\/tool_call>$/g, "")
  const [, taggedName, inner] = /^<function=([\w.-]+)>?\s*(\{.*\})\s*(?:<\/function>)?$/s.exec(text) ?? []
  const problem = `The provider refused the call, so it was not run. ${toStringOrEmpty(message)}`.trim()
  if (taggedName !== undefined) return { name: taggedName, arguments: inner!, problem }
  const value = tryParseJson(text)
  const { name, arguments: input, parameters } = readFields(Array.isArray(value) ? value[0] : value)
  if (toStringOrEmpty(name) === "") return undefined
  const callArguments = input ?? parameters ?? {}
  return {
    name: toStringOrEmpty(name),
    arguments: typeof callArguments === "string" ? callArguments : JSON.stringify(callArguments),
    problem,
  }
}
