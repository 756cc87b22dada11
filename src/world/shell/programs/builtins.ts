import path from "node:path"
import type { Argument } from "../resolve-word.ts"
import { type Program, type Scene, touch } from "../scene.ts"
import { assign, type Outcome, type State, unchanged } from "../state.ts"
import { changesPrograms } from "../variable-names.ts"

/** What the shell does itself. */
export const builtins: Readonly<Record<string, Program>> = {
  cd: (scene, words, state) => changeFolder(scene, words, state, { bare: "home" }),
  pushd: (scene, words, state) => changeFolder(scene, words, state, { bare: "unknown" }),
  popd: (_, __, state) => ({ success: { ...state, folders: undefined }, failure: state }),
  eval: (scene, words, state) => {
    if (words.some((word) => word.value === undefined)) {
      scene.found.unclear("eval runs a text that is not known before it runs")
      return unchanged({ ...state, folders: undefined, variables: new Map() })
    }
    const texts = words[0]?.value === "--" ? words.slice(1) : words
    return scene.script(texts.map((word) => word.value).join(" "), state)
  },
  export: declare,
  readonly: declare,
  declare,
  typeset: declare,
  local: declare,
  unset: (scene, words, state) => names(scene, "unset", words, state),
  read: (scene, words, state) =>
    names(
      scene,
      "read",
      words.filter((word) => word.value !== "-r"),
      state,
    ),
  set: (scene, words) => {
    const plain = words.every(
      ({ value }) =>
        value !== undefined && /^(?:[-+][eufxvC]+o?|[-+]o|pipefail|errexit|nounset|xtrace)$/.test(value),
    )
    if (!plain) scene.found.unclear("set changes how the shell reads what follows")
    return undefined
  },
  printf: (scene, words) => {
    const [first] = words[0]?.value === "--" ? words.slice(1) : words
    const format = first?.value?.replaceAll("%%", "")
    if (first && (format === undefined || /^-v|%[^%a-zA-Z]*[hlLjzt]*n/.test(format)))
      scene.found.unclear("printf may set a variable")
    return undefined
  },
  ...Object.fromEntries([["jobs", inBackground] as const]),
  source: runFile,
  ".": runFile,
  ...Object.fromEntries(
    ": true false echo expr exit return break continue shift times umask ulimit type logout"
      .split(" ")
      .map((name) => [name, tells] as const),
  ),
  test: evaluates,
  "[": evaluates,
  ...Object.fromEntries(
    Object.entries({
      alias: "it gives commands other names",
      unalias: "it gives commands other names",
      trap: "it runs a command later",
      enable: "it changes what the shell does itself",
      hash: "it changes where programs are found",
      shopt: "it changes how the shell reads what follows",
      mapfile: "it sets variables that are not known",
      readarray: "it sets variables that are not known",
      getopts: "it sets variables that are not known",
      let: "arithmetic can run commands",
      compgen: "it can run commands",
      complete: "it can run commands",
      bind: "it can run commands",
      fc: "it runs earlier commands",
      history: "it reads and writes files of its own",
      wait: "",
    }).map(([name, reason]) => [name, unclearBecause(name, reason)] as const),
  ),
}

/** Whatever its words are, they are words to it. */
function tells(): undefined {}

/** `jobs` tells what runs in the background, and with `-x` runs a command itself. */
function inBackground(scene: Scene, words: readonly Argument[], state: State): Outcome | undefined {
  if (words.every(({ value }) => value !== undefined && /^(?:-[lpnrs]+|[^-].*)$/s.test(value)))
    return undefined
  scene.found.unclear("jobs can run a command")
  const option = words.findIndex(({ value }) => /^-[lpnrs]*x/.test(value ?? ""))
  return scene.run(words.slice(option + 1), state)
}

function unclearBecause(name: string, reason: string): Program {
  return ({ found }, words) => {
    if (reason !== "" || words.some((word) => word.value?.startsWith("-")))
      found.unclear(`${name}: ${reason || "it sets variables"}`)
    return undefined
  }
}

function changeFolder(
  scene: Scene,
  words: readonly Argument[],
  state: State,
  { bare }: { bare: "home" | "unknown" },
): Outcome {
  const targets = words.filter((word) => word.value !== "--" && word.value !== "-L" && word.value !== "-P")
  const physical = words.some((word) => word.value === "-P")
  const [target] = targets
  const home = state.variables.get("HOME")
  const value = target === undefined && bare === "home" ? home : target?.value
  const to = (folders: readonly string[] | undefined) => ({ success: { ...state, folders }, failure: state })
  if (value === undefined || targets.length > 1 || /^[-+]/.test(value)) return to(undefined)
  if (value === "") return to(state.folders)
  if ((state.folders ?? ["/"]).some((folder) => scene.paths.isOfProcess(folder, value))) return to(undefined)
  if (physical) {
    const real = (state.folders ?? []).map((folder) => scene.paths.real(folder, value))
    return to(value.startsWith("/") ? [scene.paths.real("/", value)] : state.folders && real)
  }
  if (value.startsWith("/")) return to([path.posix.normalize(value).replace(/(.)\/$/, "$1")])
  return to(state.folders?.map((folder) => path.posix.join(folder, value).replace(/(.)\/$/, "$1")))
}

/** `export NAME=value` and the like, without options. */
function declare(scene: Scene, words: readonly Argument[], state: State): Outcome {
  let result = state
  for (const { value, written } of words) {
    const found = /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(value ?? "")
    if (!found) scene.found.unclear(`what ${written} declares is not plain`)
    else if (changesPrograms(found[1]!, found[2]))
      scene.found.unclear(`setting ${found[1]} can change what runs`)
    else if (found[2] !== undefined) result = assign(result, found[1]!, found[2])
  }
  return { success: result, failure: result }
}

/** Variables that get a value nobody knows beforehand. */
function names(scene: Scene, command: string, words: readonly Argument[], state: State): Outcome {
  let result = state
  for (const { value = "", written } of words) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(value)) scene.found.unclear(`${command} ${written} is not plain`)
    else if (changesPrograms(value, undefined)) scene.found.unclear(`setting ${value} can change what runs`)
    result = assign(result, value, undefined)
  }
  return unchanged(result)
}

/** What it says in an error, or leaves in variables, is what stood in the file. */
function runFile(scene: Scene, words: readonly Argument[], state: State): undefined {
  scene.found.unclear("it runs the commands of a file")
  for (const file of words.slice(0, 1)) touch(scene, "read", file, state)
}

/** An element of an array is looked up by arithmetic, which can run commands. */
function evaluates(scene: Scene, words: readonly Argument[]): undefined {
  if (words.some((word) => word.value === "-v" || word.value === "-R"))
    scene.found.unclear("a test of a variable can run commands")
}
