import { address } from "./address.ts"
import { type GivenOption, readWords } from "./read-words.ts"
import type { Argument } from "./resolve-word.ts"
import { type Program, placesOf, type Scene, touch, touchIfThere } from "./scene.ts"
import type { State } from "./state.ts"
import { type ReadTable, readTable, type Table, type Use } from "./table.ts"

/** A call of a program that its table knows in full. */
export interface Call {
  readonly scene: Scene
  readonly state: State
  readonly options: readonly GivenOption[]
  readonly operands: readonly Argument[]
  /** How many of the operands stand in front of `--`; undefined where there is none. */
  readonly before?: number
}

/**
 * What a call does beyond what the uses in its table say. It gets the operands where the table says nothing of them
 * (`operands: "judged*"`).
 */
export type Judged = (call: Call) => void

export interface KnownProgram {
  readonly table: Table
  readonly judge?: Judged
  /** Whose version counts, where the name is that of one of its verbs. */
  readonly program?: string
  /** Where its words are not yet those that the table reads. */
  readonly prepare?: (words: readonly Argument[]) => readonly Argument[]
}

export function knownProgram(name: string, { table, judge, prepare, program = name }: KnownProgram): Program {
  return (scene, written, state) => {
    const words = prepare?.(written) ?? written
    const reading = readWords(words, readTable(table))
    if (reading.type === "outside") return outside(scene, words, state, `${name}: ${reading.reason}`)
    const surplus = operandProblem(readTable(table), reading.operands)
    if (surplus !== undefined) return outside(scene, words, state, `${name}: ${surplus}`)
    if (!scene.machine.has(program, table.version)) otherVersion(scene, words, state)
    const { options, operands, before } = reading
    const call: Call = { scene, state, options, operands, ...(before !== undefined && { before }) }
    if (mayBeOption(call, words)) scene.found.unclear(`a file's name may be an option of ${name}`)
    for (const { option, name: given, value } of options) {
      if (value) use(call, option.use, value, `${name} ${given}`)
      else if (option.use === "unclear") scene.found.unclear(`what ${name} does with ${given} cannot be told`)
    }
    const uses = readTable(table).operands
    for (const [index, operand] of operands.entries())
      use(call, (uses[index] ?? uses.at(-1))?.use ?? "text", operand, name)
    judge?.(call)
    return undefined
  }
}

/** Nobody knows what a command does that its program's table does not know. */
export function outside(scene: Scene, words: readonly Argument[], state: State, reason: string): undefined {
  scene.found.unclear(reason)
  for (const word of words.slice(0, 500)) touchIfThere(scene, "change", word, state)
}

/** Of another version it is known what the table says, and not whether that is all. */
export function otherVersion(scene: Scene, words: readonly Argument[], state: State): void {
  scene.unknown()
  for (const word of words.slice(0, 500)) touchIfThere(scene, "change", word, state)
}

function operandProblem({ operands }: ReadTable, given: readonly Argument[]): string | undefined {
  if (operands.at(-1)?.many === "rest" || given.length <= operands.length) return undefined
  return `it takes no more than ${operands.length} operands`
}

/** `*` is every name in a folder, and one of them may begin with a dash. */
function mayBeOption({ scene, state }: Call, words: readonly Argument[]): boolean {
  const end = words.findIndex(({ value }) => value === "--")
  return words
    .slice(0, end < 0 ? undefined : end)
    .some(
      ({ pattern }) =>
        pattern === "" && (state.folders ?? []).some((folder) => scene.paths.hasDashed(folder)),
    )
}

/** Tells what becomes of a value or an operand. */
export function use({ scene, state }: Call, what: Use, word: Argument, who: string): void {
  switch (what) {
    case "text":
    case "judged":
      return
    case "read":
      return touch(scene, "read", word, state)
    case "read-below":
      return touch(scene, "read", word, state, "below")
    case "write":
      return touch(scene, "write", word, state)
    case "named":
      return touch(scene, "read", asName(word), state)
    case "output":
      return word.value === "-" ? undefined : touch(scene, "write", word, state)
    case "write-below":
      return touch(scene, "write", word, state, "below")
    case "names":
      touch(scene, "read", word, state)
      return scene.found.unclear(`${who} takes names of files from a file`)
    case "settings":
      touch(scene, "read", word, state)
      return scene.found.unclear(`${who} reads settings from a file`)
    case "run":
      scene.found.unclear(`${who} runs another program`)
      scene.run([word], state)
      return
    case "host":
      return address(scene, word)
    case "unclear":
      touchIfThere(scene, "change", word, state)
      return scene.found.unclear(`what ${who} does with ${word.written} cannot be told`)
  }
}

/** Of a program to which `-` is a name like any other. */
export const asName = (word: Argument): Argument => (word.value === "-" ? { ...word, value: "./-" } : word)

export const has = ({ options }: Call, ...names: readonly string[]): boolean =>
  options.some(({ option }) => names.some((name) => option.names.includes(name)))

export const valuesOf = ({ options }: Call, ...names: readonly string[]): readonly Argument[] =>
  options.flatMap(({ option, value }) =>
    value && names.some((name) => option.names.includes(name)) ? [value] : [],
  )

/** The last of several options holds. */
export const lastValue = (call: Call, ...names: readonly string[]): Argument | undefined =>
  valuesOf(call, ...names).at(-1)

export const pathsOf = ({ scene, state }: Call, word: Argument): readonly string[] =>
  placesOf(scene, word, state).map(({ path }) => path)
