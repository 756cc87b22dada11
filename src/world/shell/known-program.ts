import { reportHost } from "./address.ts"
import { type OptionOfCall, readWords } from "./read-words.ts"
import type { ShellArgument } from "./resolve-word.ts"
import { type ProgramJudge, reportAccess, reportIfExists, resolvePaths, type Scene } from "./scene.ts"
import type { ShellState } from "./state.ts"
import { type ParsedTable, parseTable, type Table, type WordUse } from "./table.ts"

/** One call of a known program, with its words sorted into options and operands. */
export interface ProgramCall {
  readonly scene: Scene
  readonly state: ShellState
  readonly options: readonly OptionOfCall[]
  readonly operands: readonly ShellArgument[]
  /** The number of operands in front of `--`; undefined without a `--`. */
  readonly before?: number
}

/**
 * Reports the effects of a call that the uses in its table do not cover. It judges the operands where the
 * table says `operands: "judged*"`.
 */
export type CallJudge = (call: ProgramCall) => void

export interface KnownProgram {
  readonly table: Table
  readonly judge?: CallJudge
  /** The program whose version is checked, where the name is one of its verbs. */
  readonly program?: string
  /** Rearranges the words into the form that the table describes. */
  readonly prepare?: (words: readonly ShellArgument[]) => readonly ShellArgument[]
}

export function judgeByTable(
  name: string,
  { table, judge, prepare, program = name }: KnownProgram,
): ProgramJudge {
  return (scene, rawWords, state) => {
    const words = prepare?.(rawWords) ?? rawWords
    const reading = readWords(words, parseTable(table))
    if (reading.type === "outside")
      return reportOutsideTable(scene, words, state, `${name}: ${reading.reason}`)
    const surplus = operandProblem(parseTable(table), reading.operands)
    if (surplus !== undefined) return reportOutsideTable(scene, words, state, `${name}: ${surplus}`)
    if (!scene.machine.has(program, table.version)) reportOtherVersion(scene, words, state)
    const { options, operands, before } = reading
    const call: ProgramCall = { scene, state, options, operands, ...(before !== undefined && { before }) }
    if (mayBeOption(call, words)) scene.findings.addUnclear(`${name} may read a file's name as an option`)
    for (const { option, name: optionName, value } of options) {
      if (value) reportUse(call, option.use, value, `${name} ${optionName}`)
      else if (option.use === "unclear")
        scene.findings.addUnclear(`the effect of ${name} ${optionName} is unknown`)
    }
    const uses = parseTable(table).operands
    for (const [index, operand] of operands.entries())
      reportUse(call, (uses[index] ?? uses.at(-1))?.use ?? "text", operand, name)
    judge?.(call)
    return undefined
  }
}

/** Reports a command that its program's table does not cover: its effects are unknown. */
export function reportOutsideTable(
  scene: Scene,
  words: readonly ShellArgument[],
  state: ShellState,
  reason: string,
): undefined {
  scene.findings.addUnclear(reason)
  for (const word of words.slice(0, 500)) reportIfExists(scene, "change", word, state)
}

/**
 * Reports a program whose version differs from the version of its table: it may have effects that the table does not list.
 */
export function reportOtherVersion(scene: Scene, words: readonly ShellArgument[], state: ShellState): void {
  scene.reportUnknown()
  for (const word of words.slice(0, 500)) reportIfExists(scene, "change", word, state)
}

function operandProblem({ operands }: ParsedTable, words: readonly ShellArgument[]): string | undefined {
  if (operands.at(-1)?.many === "rest" || words.length <= operands.length) return undefined
  return `it takes at most ${operands.length} operands`
}

/** `*` stands for every name in a folder, and a name that begins with a dash is read as an option. */
function mayBeOption({ scene, state }: ProgramCall, words: readonly ShellArgument[]): boolean {
  const end = words.findIndex(({ value }) => value === "--")
  return words
    .slice(0, end < 0 ? undefined : end)
    .some(
      ({ pattern }) =>
        pattern === "" && (state.folders ?? []).some((folder) => scene.paths.hasDashedName(folder)),
    )
}

/** Reports what a program does with a value or an operand. */
export function reportUse(
  { scene, state }: ProgramCall,
  what: WordUse,
  word: ShellArgument,
  who: string,
): void {
  switch (what) {
    case "text":
    case "judged":
      return
    case "read":
      return reportAccess(scene, "read", word, state)
    case "read-below":
      return reportAccess(scene, "read", word, state, "below")
    case "write":
      return reportAccess(scene, "write", word, state)
    case "named":
      return reportAccess(scene, "read", readDashAsName(word), state)
    case "output":
      return word.value === "-" ? undefined : reportAccess(scene, "write", word, state)
    case "write-below":
      return reportAccess(scene, "write", word, state, "below")
    case "names":
      reportAccess(scene, "read", word, state)
      return scene.findings.addUnclear(`${who} reads file names from a file`)
    case "settings":
      reportAccess(scene, "read", word, state)
      return scene.findings.addUnclear(`${who} reads settings from a file`)
    case "run":
      scene.findings.addUnclear(`${who} runs another program`)
      scene.run([word], state)
      return
    case "host":
      return reportHost(scene, word)
    case "unclear":
      reportIfExists(scene, "change", word, state)
      return scene.findings.addUnclear(`the effect of ${who} with ${word.written} is unknown`)
  }
}

/** For programs that take `-` for a file's name. */
export const readDashAsName = (word: ShellArgument): ShellArgument =>
  word.value === "-" ? { ...word, value: "./-" } : word

export const hasOption = ({ options }: ProgramCall, ...names: readonly string[]): boolean =>
  options.some(({ option }) => names.some((name) => option.names.includes(name)))

export const listOptionValues = (
  { options }: ProgramCall,
  ...names: readonly string[]
): readonly ShellArgument[] =>
  options.flatMap(({ option, value }) =>
    value && names.some((name) => option.names.includes(name)) ? [value] : [],
  )

/** Of several such options, the last one takes effect. */
export const findLastOptionValue = (
  call: ProgramCall,
  ...names: readonly string[]
): ShellArgument | undefined => listOptionValues(call, ...names).at(-1)

export const listArgumentPaths = ({ scene, state }: ProgramCall, word: ShellArgument): readonly string[] =>
  resolvePaths(scene, word, state).map(({ path }) => path)
