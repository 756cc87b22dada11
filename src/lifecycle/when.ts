import { knownNames } from "../errors.ts"
import { type Condition, parseCondition } from "../expression/condition.ts"
import { offeredNames } from "./event-names.ts"

/** What is wrong with a text, and where in it. */
export interface TextProblem {
  readonly message: string
  readonly offset: number
  readonly length?: number
}

/** Reads what stands behind `when`. A name that no event offers is a mistake; one that this event does not is null. */
export function readWhen(text: string): ReadCondition {
  const parsed = parseCondition(text)
  if (parsed.type === "invalid") return { problems: [parsed.problem] }
  const problems = unknownNames(parsed.names)
  return problems.length > 0 ? { problems } : { condition: parsed, unknown: [] }
}

/** A condition, with names in it that are nobody's and null; or why it is none. */
export type ReadCondition =
  | { readonly condition: Condition; readonly unknown: readonly TextProblem[] }
  | { readonly problems: readonly TextProblem[] }

export const unknownNames = (
  uses: readonly { readonly name: string; readonly offset: number }[],
  names = known,
): readonly TextProblem[] =>
  uses
    .filter(({ name }) => !names.includes(name))
    .map(({ name, offset }) => ({
      message: `There is no ${JSON.stringify(name)} here; the variables of a run stand behind \`variables.\`. ${knownNames(name, names)}`,
      offset,
      length: name.length,
    }))

const known: readonly string[] = offeredNames.map(({ name }) => name)
