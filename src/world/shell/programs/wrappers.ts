import { isLongOption } from "../options.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import type { ProgramJudge, Scene } from "../scene.ts"
import { leaveUnchanged, type ShellState } from "../state.ts"
import { judgeUnknownProgram } from "../unknown-program.ts"
import { changesPrograms } from "../variable-names.ts"
import { builtins } from "./builtins.ts"

interface Wrapper {
  /** The letters of options: `flags` take no value, `values` take one. */
  readonly flags?: string
  readonly values?: string
  readonly longFlags?: readonly string[]
  readonly longValues?: readonly string[]
  /** The number of operands in front of the command. */
  readonly operands?: number
  /** Assignments may stand in front of the command. */
  readonly assigns?: true
  /** Options that name the folder in which the command runs. */
  readonly folder?: readonly string[]
  /** The command may run with other variables, or with none. */
  readonly changesVariables?: true
  /** Options with which the wrapper runs no command. */
  readonly shows?: string
}

const plain: Readonly<Record<string, Wrapper>> = {
  sudo: {
    flags: "nHEkbAPSB",
    values: "ugpCTrtUhD",
    longFlags: ["non-interactive", "preserve-env", "set-home", "stdin"],
    longValues: ["user", "group", "chdir"],
    folder: ["-D", "--chdir"],
    assigns: true,
    changesVariables: true,
  },
  doas: { flags: "n", values: "u", changesVariables: true },
  chrt: { flags: "bfiorv", operands: 1 },
  unbuffer: { flags: "p" },
  time: { flags: "pv", assigns: true },
  command: { flags: "p", shows: "vV" },
  exec: { flags: "cl", values: "a", changesVariables: true },
  builtin: {},
}

/** Programs that run their arguments as a command. */
export const wrappers: Readonly<Record<string, ProgramJudge>> = {
  ...Object.fromEntries(Object.entries(plain).map(([name, wrapper]) => [name, wrap(name, wrapper)])),
  // The programs of busybox may differ from the known ones of the same name: unknown effects are reported,
  // too.
  busybox: (scene, words, state) => {
    if (words.length === 1 && /^--(?:help|list|list-full)$/.test(words[0]!.value ?? "")) return undefined
    judgeUnknownProgram(scene, words, state)
    if (words[0]?.value?.startsWith("-"))
      scene.findings.addUnclear("busybox can install its programs anywhere")
    else scene.run(words, state)
    return undefined
  },
}

function wrap(name: string, wrapper: Wrapper): ProgramJudge {
  return (scene, words, state) => {
    const inner = unwrap(scene, name, wrapper, words, state)
    if (!inner || inner.words.length === 0) return undefined
    const outcome = scene.run(inner.words, inner.state)
    // Only a builtin of the shell leaves a changed state when the wrapper ends.
    return inShell[name]?.(inner.words[0]?.value ?? "") ? outcome : leaveUnchanged(state)
  }
}

/**
 * By wrapper: the words behind it that the shell runs itself. Another such wrapper judges the words behind it
 * in turn.
 */
const inShell: Readonly<Record<string, (word: string) => boolean>> = {
  command: (word) => word in builtins || word === "command" || word === "builtin",
  builtin: (word) => inShell.command!(word),
  time: (word) => inShell.command!(word) || word === "time",
}

interface Inner {
  readonly words: readonly ShellArgument[]
  readonly state: ShellState
}

/** The command behind a wrapper's own options; undefined if the wrapper runs no command. */
function unwrap(
  scene: Scene,
  name: string,
  wrapper: Wrapper,
  words: readonly ShellArgument[],
  state: ShellState,
): Inner | undefined {
  let index = 0
  let inside = state
  const folder = (value: ShellArgument | undefined) => {
    if (value) inside = builtins.cd!(scene, [value], inside)?.success ?? inside
  }
  for (; index < words.length; index++) {
    const text = words[index]!.value ?? words[index]!.pattern ?? ""
    if (text === "--") {
      index++
      break
    }
    if (!text.startsWith("-") || text === "-") break
    const [long, value] = text.split(/=(.*)/s) as [string, string?]
    if (text.startsWith("--")) {
      const takes = wrapper.longValues?.some((option) => isLongOption(long, option))
      if (!takes && !wrapper.longFlags?.some((option) => isLongOption(long, option))) {
        scene.findings.addUnclear(`the effect of ${name} ${long} is unknown`)
        continue
      }
      const optionValue = !takes ? undefined : value === undefined ? words[++index] : makePlainArgument(value)
      if (wrapper.folder?.some((option) => isLongOption(long, option.slice(2)))) folder(optionValue)
      continue
    }
    for (let place = 1; place < text.length; place++) {
      const letter = text[place]!
      if (wrapper.shows?.includes(letter)) return undefined
      if (wrapper.values?.includes(letter)) {
        const attached = text.slice(place + 1)
        const optionValue = attached === "" ? words[++index] : makePlainArgument(attached)
        if (wrapper.folder?.includes(`-${letter}`)) folder(optionValue)
        break
      }
      if (!wrapper.flags?.includes(letter)) {
        scene.findings.addUnclear(`the effect of ${name} -${letter} is unknown`)
        break
      }
    }
  }
  index += wrapper.operands ?? 0
  if (wrapper.assigns)
    for (; index < words.length; index++) {
      const assigned = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(words[index]!.value ?? "")
      if (!assigned) break
      if (changesPrograms(assigned[1]!, assigned[2]))
        scene.findings.addUnclear(`setting ${assigned[1]} can change what runs`)
    }
  const rest = words.slice(index)
  if (rest[0]?.value === "" || /^-|=/.test(rest[0]?.value ?? ""))
    scene.findings.addUnclear(`the command that ${name} runs cannot be determined`)
  return { words: rest, state: wrapper.changesVariables ? { ...inside, variables: new Map() } : inside }
}
