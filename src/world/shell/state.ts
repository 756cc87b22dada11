import type { ShellDialect } from "./syntax.ts"

/** The known state of a shell at one place of a command line. */
export interface ShellState {
  /** The dialect of the shell that reads the commands. */
  readonly dialect: ShellDialect
  /** The folders that the shell may be in, as `cd` sees them; undefined: unknown. */
  readonly folders: readonly string[] | undefined
  /** The variables whose values are known. */
  readonly variables: ReadonlyMap<string, string>
}

/** The states after a command. They differ for `cd`, and after `&&`. */
export interface ShellOutcome {
  readonly success: ShellState
  readonly failure: ShellState
}

const mostFolders = 4
const mostVariables = 200

export const leaveUnchanged = (state: ShellState): ShellOutcome => ({ success: state, failure: state })

/** The state where either of the two may hold. */
export function mergeStates(one: ShellState, other: ShellState): ShellState {
  if (one === other) return one
  const folders = one.folders && other.folders ? [...new Set([...one.folders, ...other.folders])] : undefined
  const variables =
    one.variables === other.variables
      ? one.variables
      : new Map([...one.variables].filter(([name, value]) => other.variables.get(name) === value))
  return { ...one, folders: folders && folders.length <= mostFolders ? folders : undefined, variables }
}

export const mergeOutcome = ({ success, failure }: ShellOutcome): ShellState => mergeStates(success, failure)

/** Sets a variable; `undefined` stands for an unknown value. */
export function assign(state: ShellState, name: string, value: string | undefined): ShellState {
  const variables = new Map(state.variables)
  if (value === undefined || variables.size >= mostVariables) variables.delete(name)
  else variables.set(name, value)
  return { ...state, variables }
}

export function isSameState(one: ShellState, other: ShellState): boolean {
  return (
    one === other ||
    (String(one.folders) === String(other.folders) &&
      (one.variables === other.variables ||
        (one.variables.size === other.variables.size &&
          [...one.variables].every(([name, value]) => other.variables.get(name) === value))))
  )
}
