import { commandsFromInput } from "../findings.ts"
import { hasFlag, readOptions } from "../options.ts"
import type { ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, reportIfExists, type Scene } from "../scene.ts"
import type { ShellState } from "../state.ts"
import type { ShellDialect } from "../syntax.ts"

/** Shells and languages: they run a text, a file, or their input. */
export const interpreters: Readonly<Record<string, ProgramJudge>> = {
  bash: shell("bash"),
  sh: shell("posix"),
  dash: shell("posix"),
  ash: shell("posix"),
  ...Object.fromEntries(
    ["zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "pwsh", "su"].map((name) => [name, judgeForeign]),
  ),
  ...Object.fromEntries(
    Object.entries({
      python: "c",
      pypy: "c",
      node: "epr",
      nodejs: "epr",
      bun: "epr",
      perl: "eE",
      ruby: "er",
      php: "rRBE",
      lua: "el",
      luajit: "el",
      Rscript: "e",
      osascript: "e",
      tclsh: "",
      guile: "c",
      deno: "",
      ts: "",
    }).map(([name, letters]) => [name, language(name, letters)] as const),
  ),
}

function shell(dialect: ShellDialect): ProgramJudge {
  return (scene, words, state) => {
    let index = 0
    let text = false
    for (; index < words.length; index++) {
      const value = words[index]!.value ?? ""
      if (!/^[-+]/.test(value) || value === "-") break
      if (value === "--") {
        index++
        break
      }
      if (!/^(?:[-+][lceuxv]+o?|[-+]o|--(?:login|noprofile|norc|posix))$/.test(value))
        scene.findings.addUnclear(`the effect of the shell's option ${value} is unknown`)
      if (/^-[a-z]*c/.test(value)) text = true
      if (/^[-+][a-z]*o$/.test(value)) index++
    }
    const first = words[index]
    if (!text) {
      runFile(scene, first, state)
      // A file that is not here is looked up like a program.
      if (first?.value !== undefined && !first.value.includes("/")) scene.run(words.slice(index), state)
      return undefined
    }
    if (first?.value === undefined)
      scene.findings.addUnclear("a shell runs a text that is only known when the command runs")
    else scene.script(first.value, innerState(state, dialect))
    if (first?.bodies) scene.findings.programs.push(commandsFromInput)
    return undefined
  }
}

/**
 * A new shell starts in the same folder. It gets only exported variables, and of those only HOME counts as
 * known.
 */
const innerState = (state: ShellState, dialect: ShellDialect): ShellState => {
  const home = state.variables.get("HOME")
  return { dialect, folders: state.folders, variables: new Map(home === undefined ? [] : [["HOME", home]]) }
}

function runFile(scene: Scene, file: ShellArgument | undefined, state: ShellState): undefined {
  if (
    file === undefined ||
    file.value === "-" ||
    file.value === undefined ||
    /^\/dev\/(stdin|fd\/)/.test(file.value)
  ) {
    scene.findings.addUnclear("the program takes its commands from its input")
    scene.findings.programs.push(commandsFromInput)
  } else {
    scene.reportUnknown()
    reportAccess(scene, "read", file, state)
  }
}

function judgeForeign({ findings }: Scene): undefined {
  findings.addUnclear("the language of this shell is not supported")
  findings.programs.push(commandsFromInput)
}

function language(name: string, letters: string): ProgramJudge {
  return (scene, words, state) => {
    const texts = [...letters].map((letter) => `-${letter}`)
    const options = readOptions(words, { stops: true })
    // With another word beside the option, some programs run that word. tclsh takes commands from its input
    // even with the option alone.
    if (
      words.length === 1 &&
      name !== "tclsh" &&
      /^(?:-V|-v|--version|-h|--help)$/.test(words[0]!.value ?? "")
    )
      return undefined
    scene.reportUnknown()
    for (const word of words.slice(0, 500)) reportIfExists(scene, "change", word, state)
    if (name === "python" && hasFlag(options, "-m")) return undefined
    if (
      hasFlag(
        options,
        ...texts,
        "--eval",
        "--print",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--run",
        "--env-file",
      )
    ) {
      scene.findings.addUnclear(`${name} runs a text or a file from an option`)
    } else if (options.flags.length === 0 || options.operands.length === 0)
      return runFile(scene, options.operands[0], state)
    return undefined
  }
}
