import type { Json } from "../ground/message.ts"

/** Names that the runtime itself uses in expressions. A variable with such a name would hide the runtime's value. */
const reservedVariables: readonly string[] = [
  "agent",
  "event",
  "parent",
  "run",
  "task",
  "tool_input",
  "tool_name",
  "variables",
]

/** The most characters of all variables of a run together, written as JSON. */
const mostCharacters = 1_000_000
/** The most levels of lists and maps in the value of one variable. */
export const maxVariableLevels = 100

/** The problem with variables, in words; undefined if there is none. */
export function findVariablesProblem(variables: unknown): string | undefined {
  if (!isPlainMap(variables)) return "variables must be a map of names to values"
  const entries = Object.entries(variables)
  if (entries.length === 0) return undefined
  for (const [name, value] of entries) {
    const problem =
      nameProblem(name) ??
      (isVariableValue(value)
        ? undefined
        : `its value must be plain JSON with at most ${maxVariableLevels} levels`)
    if (problem !== undefined)
      return `the variable ${JSON.stringify(name.slice(0, 100))} cannot be set: ${problem}`
  }
  return JSON.stringify(variables).length > mostCharacters
    ? `all variables together take more than ${mostCharacters} characters`
    : undefined
}

export const isVariableValue = (value: unknown): value is Json => isJson(value, maxVariableLevels)

/** The message for a locked variable: the start of a run may set it, but no hook, workflow or definition. */
export const describeLockedVariable = (name: string): string =>
  `the variable ${JSON.stringify(name)} is locked by the user's configuration`

function nameProblem(name: string): string | undefined {
  if (reservedVariables.includes(name) || name.startsWith("__"))
    return `the name is reserved. Reserved names: ${reservedVariables.join(", ")}, and all that begin with "__"`
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,128}$/u.test(name)
    ? undefined
    : "a name is 1 to 128 printable characters"
}

function isJson(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (depth === 0 || typeof value !== "object") return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  return isPlainMap(value) && Object.values(value).every((item) => isJson(item, depth - 1))
}

function isPlainMap(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
