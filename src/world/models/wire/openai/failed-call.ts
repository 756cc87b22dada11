import { fields, parsed, textOf } from "../json.ts"

/** A call as the model wrote it. */
export interface FailedCall {
  readonly name: string
  readonly arguments: string
  /** What the provider says against it. */
  readonly problem: string
}

/**
 * The call that Groq refused, out of its error `tool_use_failed`: its model did not write it as the tool wants it. Undefined
 * where the error is another one, or where what was written is no call.
 */
export function failedCall(error: unknown): FailedCall | undefined {
  const { code, failed_generation, message } = fields(error)
  if (code !== "tool_use_failed" || typeof failed_generation !== "string") return undefined
  const text = failed_generation.trim().replace(/^<tool_call>|<\/tool_call>$/g, "")
  const [, tagged, inner] = /^<function=([\w.-]+)>?\s*(\{.*\})\s*(?:<\/function>)?$/s.exec(text) ?? []
  const problem = `The call was refused, so it was not run. ${textOf(message)}`.trim()
  if (tagged !== undefined) return { name: tagged, arguments: inner!, problem }
  const value = parsed(text)
  const { name, arguments: given, parameters } = fields(Array.isArray(value) ? value[0] : value)
  if (textOf(name) === "") return undefined
  const written = given ?? parameters ?? {}
  return {
    name: textOf(name),
    arguments: typeof written === "string" ? written : JSON.stringify(written),
    problem,
  }
}
