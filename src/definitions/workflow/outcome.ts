import type { Json } from "../../ground/message.ts"
import type { CallResult } from "../../run/log/event.ts"

/**
 * The outcome of a call. A tool may return a result that says that it failed. Undefined: the end of the call is unknown, or
 * the call never ran.
 */
export function readCallOutcome({
  status,
  text,
}: Pick<CallResult, "status" | "text">): "success" | "failure" | undefined {
  if (status === "error") return "failure"
  if (status !== "ok") return undefined
  return saysFailure(dataIn(text), 3) ? "failure" : "success"
}

/** True if `success` is false or there is an `error`, in the answer itself or in its `result`. */
function saysFailure(answer: Json | undefined, depth: number): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false
  const { success, error, result } = answer as { readonly [key: string]: Json }
  if (success === false || isSomething(error)) return true
  return depth > 0 && saysFailure(typeof result === "string" ? dataIn(result) : result, depth - 1)
}

const isSomething = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value)

function dataIn(text: string): Json | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
