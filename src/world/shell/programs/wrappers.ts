import { nobodyKnows } from "../nobody-knows.ts"
import { isLong } from "../options.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import type { Program, Scene } from "../scene.ts"
import { type State, unchanged } from "../state.ts"
import { changesPrograms } from "../variable-names.ts"
import { builtins } from "./builtins.ts"

interface Wrapper {
  /** Letters of options without a value, and with one. */
  readonly flags?: string
  readonly values?: string
  readonly longFlags?: readonly string[]
  readonly longValues?: readonly string[]
  /** How many operands stand before the command. */
  readonly operands?: number
  /** Assignments may stand before the command. */
  readonly assigns?: true
  /** Options that name the folder in which the command runs. */
  readonly folder?: readonly string[]
  /** It can run the command with other variables, or none. */
  readonly changesVariables?: true
  /** Options with which no command is run. */
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

/** Programs that run the command which their arguments are. */
export const wrappers: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(Object.entries(plain).map(([name, wrapper]) => [name, wrapped(name, wrapper)])),
  // What its programs are called is told, and not what those of that name do elsewhere.
  busybox: (scene, words, state) => {
    if (words.length === 1 && /^--(?:help|list|list-full)$/.test(words[0]!.value ?? "")) return undefined
    nobodyKnows(scene, words, state)
    if (words[0]?.value?.startsWith("-")) scene.found.unclear("busybox can put its programs anywhere")
    else scene.run(words, state)
    return undefined
  },
}

function wrapped(name: string, wrapper: Wrapper): Program {
  return (scene, words, state) => {
    const inner = unwrap(scene, name, wrapper, words, state)
    if (!inner || inner.words.length === 0) return undefined
    const outcome = scene.run(inner.words, inner.state)
    // Of these only what the shell does itself stays when they end.
    return inShell[name]?.(inner.words[0]?.value ?? "") ? outcome : unchanged(state)
  }
}

/** By wrapper: which words behind it the shell takes itself. Another wrapper of the kind judges what is behind it in turn. */
const inShell: Readonly<Record<string, (word: string) => boolean>> = {
  command: (word) => word in builtins || word === "command" || word === "builtin",
  builtin: (word) => inShell.command!(word),
  time: (word) => inShell.command!(word) || word === "time",
}

interface Inner {
  readonly words: readonly Argument[]
  readonly state: State
}

/** The command behind a wrapper's own options; undefined where the wrapper runs none. */
function unwrap(
  scene: Scene,
  name: string,
  wrapper: Wrapper,
  words: readonly Argument[],
  state: State,
): Inner | undefined {
  let index = 0
  let inside = state
  const folder = (value: Argument | undefined) => {
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
      const takes = wrapper.longValues?.some((option) => isLong(long, option))
      if (!takes && !wrapper.longFlags?.some((option) => isLong(long, option))) {
        scene.found.unclear(`what ${name} does with ${long} is not known`)
        continue
      }
      const given = !takes ? undefined : value === undefined ? words[++index] : plainArgument(value)
      if (wrapper.folder?.some((option) => option.startsWith("--") && isLong(long, option.slice(2))))
        folder(given)
      continue
    }
    for (let place = 1; place < text.length; place++) {
      const letter = text[place]!
      if (wrapper.shows?.includes(letter)) return undefined
      if (wrapper.values?.includes(letter)) {
        const attached = text.slice(place + 1)
        const given = attached === "" ? words[++index] : plainArgument(attached)
        if (wrapper.folder?.includes(`-${letter}`)) folder(given)
        break
      }
      if (!wrapper.flags?.includes(letter)) {
        scene.found.unclear(`what ${name} does with -${letter} is not known`)
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
        scene.found.unclear(`setting ${assigned[1]} can change what runs`)
    }
  const rest = words.slice(index)
  if (rest[0]?.value === "" || /^-|=/.test(rest[0]?.value ?? ""))
    scene.found.unclear(`what ${name} runs is not plain`)
  return { words: rest, state: wrapper.changesVariables ? { ...inside, variables: new Map() } : inside }
}
