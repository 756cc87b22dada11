import { CadreError, type ErrorCode } from "../errors.ts"

/** Why a run would not start. */
export interface StartProblem {
  /** Of the error that whoever starts it gets; what a calling run is told has none. */
  readonly code?: ErrorCode
  readonly message: string
}

export function failures(check: () => void): readonly StartProblem[] {
  try {
    check()
    return []
  } catch (error) {
    return [problemOf(error)]
  }
}

/** What it gives, or why it gives nothing. */
export async function attempted<Value>(work: () => Promise<Value>): Promise<Attempted<Value>> {
  try {
    return { value: await work(), problems: [] }
  } catch (error) {
    return { problems: [problemOf(error)] }
  }
}

interface Attempted<Value> {
  readonly value?: Value
  readonly problems: readonly StartProblem[]
}

function problemOf(error: unknown): StartProblem {
  if (!(error instanceof CadreError)) throw error
  return { code: error.code, message: error.message }
}
