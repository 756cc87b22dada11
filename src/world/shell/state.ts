import type { Dialect } from "./syntax.ts"

/** What is known of a shell at one place of a command line. */
export interface State {
  /** Of the shell that reads the commands. */
  readonly dialect: Dialect
  /** Where it may stand, as `cd` sees it; undefined when nobody can tell. */
  readonly folders: readonly string[] | undefined
  /** The variables whose values are known. */
  readonly variables: ReadonlyMap<string, string>
}

/** Where a command leads: the two differ for `cd`, and after `&&`. */
export interface Outcome {
  readonly success: State
  readonly failure: State
}

const mostFolders = 4
const mostVariables = 200

export const unchanged = (state: State): Outcome => ({ success: state, failure: state })

/** Either of the two. */
export function either(one: State, other: State): State {
  if (one === other) return one
  const folders = one.folders && other.folders ? [...new Set([...one.folders, ...other.folders])] : undefined
  const variables =
    one.variables === other.variables
      ? one.variables
      : new Map([...one.variables].filter(([name, value]) => other.variables.get(name) === value))
  return { ...one, folders: folders && folders.length <= mostFolders ? folders : undefined, variables }
}

export const after = ({ success, failure }: Outcome): State => either(success, failure)

/** Undefined: it has a value, but not one that is known. */
export function assign(state: State, name: string, value: string | undefined): State {
  const variables = new Map(state.variables)
  if (value === undefined || variables.size >= mostVariables) variables.delete(name)
  else variables.set(name, value)
  return { ...state, variables }
}

export function same(one: State, other: State): boolean {
  return (
    one === other ||
    (String(one.folders) === String(other.folders) &&
      (one.variables === other.variables ||
        (one.variables.size === other.variables.size &&
          [...one.variables].every(([name, value]) => other.variables.get(name) === value))))
  )
}
