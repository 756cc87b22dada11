import { commandsFromInput } from "../findings.ts"
import { hasFlag, readOptions } from "../options.ts"
import type { Argument } from "../resolve-word.ts"
import { type Program, type Scene, touch, touchIfThere } from "../scene.ts"
import type { State } from "../state.ts"
import type { Dialect } from "../syntax.ts"

/** Shells and languages: what is handed to them as a text, as a file, or through their input. */
export const interpreters: Readonly<Record<string, Program>> = {
  bash: shell("bash"),
  sh: shell("posix"),
  dash: shell("posix"),
  ash: shell("posix"),
  ...Object.fromEntries(
    ["zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash", "pwsh", "su"].map((name) => [name, foreign]),
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

function shell(dialect: Dialect): Program {
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
        scene.found.unclear(`what a shell does with ${value} is not known`)
      if (/^-[a-z]*c/.test(value)) text = true
      if (/^[-+][a-z]*o$/.test(value)) index++
    }
    const first = words[index]
    if (!text) {
      runFile(scene, first, state)
      // What is not here is looked up like a program.
      if (first?.value !== undefined && !first.value.includes("/")) scene.run(words.slice(index), state)
      return undefined
    }
    if (first?.value === undefined)
      scene.found.unclear("a shell runs a text that is not known before it runs")
    else scene.script(first.value, inner(state, dialect))
    if (first?.bodies) scene.found.programs.push(commandsFromInput)
    return undefined
  }
}

/** A new shell stands in the same place, but of the variables it has only those that were exported. */
const inner = (state: State, dialect: Dialect): State => {
  const home = state.variables.get("HOME")
  return { dialect, folders: state.folders, variables: new Map(home === undefined ? [] : [["HOME", home]]) }
}

function runFile(scene: Scene, file: Argument | undefined, state: State): undefined {
  if (
    file === undefined ||
    file.value === "-" ||
    file.value === undefined ||
    /^\/dev\/(stdin|fd\/)/.test(file.value)
  ) {
    scene.found.unclear("it takes what it runs from its input")
    scene.found.programs.push(commandsFromInput)
  } else {
    scene.unknown()
    touch(scene, "read", file, state)
  }
}

function foreign({ found }: Scene): undefined {
  found.unclear("what another shell makes of its arguments is not known")
  found.programs.push(commandsFromInput)
}

function language(name: string, letters: string): Program {
  return (scene, words, state) => {
    const texts = [...letters].map((letter) => `-${letter}`)
    const options = readOptions(words, { stops: true })
    // Beside another word some go on and run it; tclsh takes commands from its input then.
    if (
      words.length === 1 &&
      name !== "tclsh" &&
      /^(?:-V|-v|--version|-h|--help)$/.test(words[0]!.value ?? "")
    )
      return undefined
    scene.unknown()
    for (const word of words.slice(0, 500)) touchIfThere(scene, "change", word, state)
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
      scene.found.unclear(`${name} runs a text or a file given with an option`)
    } else if (options.flags.length === 0 || options.operands.length === 0)
      return runFile(scene, options.operands[0], state)
    return undefined
  }
}
