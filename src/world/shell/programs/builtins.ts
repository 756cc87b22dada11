import path from "node:path"
import type { ShellArgument } from "../resolve-word.ts"
import { type ProgramJudge, reportAccess, type Scene } from "../scene.ts"
import { assign, leaveUnchanged, type ShellOutcome, type ShellState } from "../state.ts"
import { changesPrograms } from "../variable-names.ts"

/** Commands that the shell runs itself. */
export const builtins: Readonly<Record<string, ProgramJudge>> = {
  cd: (scene, words, state) => changeFolder(scene, words, state, { bare: "home" }),
  pushd: (scene, words, state) => changeFolder(scene, words, state, { bare: "unknown" }),
  popd: (_, __, state) => ({ success: { ...state, folders: undefined }, failure: state }),
  eval: (scene, words, state) => {
    if (words.some((word) => word.value === undefined)) {
      scene.findings.addUnclear("eval runs a text that is only known when the command runs")
      return leaveUnchanged({ ...state, folders: undefined, variables: new Map() })
    }
    const texts = words[0]?.value === "--" ? words.slice(1) : words
    return scene.script(texts.map((word) => word.value).join(" "), state)
  },
  export: declare,
  readonly: declare,
  declare,
  typeset: declare,
  local: declare,
  unset: (scene, words, state) => setUnknown(scene, "unset", words, state),
  read: (scene, words, state) =>
    setUnknown(
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
    if (!plain) scene.findings.addUnclear("set changes how the shell reads the following commands")
    return undefined
  },
  printf: (scene, words) => {
    const [first] = words[0]?.value === "--" ? words.slice(1) : words
    const format = first?.value?.replaceAll("%%", "")
    if (first && (format === undefined || /^-v|%[^%a-zA-Z]*[hlLjzt]*n/.test(format)))
      scene.findings.addUnclear("printf may set a variable")
    return undefined
  },
  ...Object.fromEntries([["jobs", judgeBackground] as const]),
  source: runFile,
  ".": runFile,
  ...Object.fromEntries(
    ": true false echo expr exit return break continue shift times umask ulimit type logout"
      .split(" ")
      .map((name) => [name, haveNoEffect] as const),
  ),
  test: judgeTest,
  "[": judgeTest,
  ...Object.fromEntries(
    Object.entries({
      alias: "it changes what the names of commands mean",
      unalias: "it changes what the names of commands mean",
      trap: "it runs a command later",
      enable: "it turns builtin commands of the shell on or off",
      hash: "it changes where programs are found",
      shopt: "it changes how the shell reads the following commands",
      mapfile: "it sets variables to unknown values",
      readarray: "it sets variables to unknown values",
      getopts: "it sets variables to unknown values",
      let: "arithmetic can run commands",
      compgen: "it can run commands",
      complete: "it can run commands",
      bind: "it can run commands",
      fc: "it runs earlier commands",
      history: "it reads and writes its own files",
      wait: "",
    }).map(([name, reason]) => [name, unclearBecause(name, reason)] as const),
  ),
}

/** For commands to which every word is plain text. */
function haveNoEffect(): undefined {}

/** `jobs` lists the commands in the background. With `-x` it runs a command itself. */
function judgeBackground(
  scene: Scene,
  words: readonly ShellArgument[],
  state: ShellState,
): ShellOutcome | undefined {
  if (words.every(({ value }) => value !== undefined && /^(?:-[lpnrs]+|[^-].*)$/s.test(value)))
    return undefined
  scene.findings.addUnclear("jobs can run a command")
  const option = words.findIndex(({ value }) => /^-[lpnrs]*x/.test(value ?? ""))
  return scene.run(words.slice(option + 1), state)
}

function unclearBecause(name: string, reason: string): ProgramJudge {
  return ({ findings }, words) => {
    if (reason !== "" || words.some((word) => word.value?.startsWith("-")))
      findings.addUnclear(`${name}: ${reason || "it sets variables"}`)
    return undefined
  }
}

function changeFolder(
  scene: Scene,
  words: readonly ShellArgument[],
  state: ShellState,
  { bare }: { bare: "home" | "unknown" },
): ShellOutcome {
  const targets = words.filter((word) => word.value !== "--" && word.value !== "-L" && word.value !== "-P")
  const physical = words.some((word) => word.value === "-P")
  const [target] = targets
  const home = state.variables.get("HOME")
  const value = target === undefined && bare === "home" ? home : target?.value
  const to = (folders: readonly string[] | undefined) => ({ success: { ...state, folders }, failure: state })
  if (value === undefined || targets.length > 1 || /^[-+]/.test(value)) return to(undefined)
  if (value === "") return to(state.folders)
  if ((state.folders ?? ["/"]).some((folder) => scene.paths.dependsOnProcess(folder, value)))
    return to(undefined)
  if (physical) {
    const real = (state.folders ?? []).map((folder) => scene.paths.real(folder, value))
    return to(value.startsWith("/") ? [scene.paths.real("/", value)] : state.folders && real)
  }
  if (value.startsWith("/")) return to([path.posix.normalize(value).replace(/(.)\/$/, "$1")])
  return to(state.folders?.map((folder) => path.posix.join(folder, value).replace(/(.)\/$/, "$1")))
}

/** `export NAME=value` and the like, without options. */
function declare(scene: Scene, words: readonly ShellArgument[], state: ShellState): ShellOutcome {
  let result = state
  for (const { value, written } of words) {
    const match = /^([A-Za-z_][A-Za-z0-9_]*)(?:=([\s\S]*))?$/.exec(value ?? "")
    if (!match) scene.findings.addUnclear(`the declaration ${written} is not supported`)
    else if (changesPrograms(match[1]!, match[2]))
      scene.findings.addUnclear(`setting ${match[1]} can change what runs`)
    if (match?.[2] !== undefined) result = assign(result, match[1]!, match[2])
  }
  return { success: result, failure: result }
}

/** Sets variables to values that are unknown in advance. */
function setUnknown(
  scene: Scene,
  command: string,
  words: readonly ShellArgument[],
  state: ShellState,
): ShellOutcome {
  let result = state
  for (const { value = "", written } of words) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(value))
      scene.findings.addUnclear(`${command} ${written} does not name a plain variable`)
    else if (changesPrograms(value, undefined))
      scene.findings.addUnclear(`setting ${value} can change what runs`)
    result = assign(result, value, undefined)
  }
  return leaveUnchanged(result)
}

/** The file counts as read, too: errors and variables can reveal its content. */
function runFile(scene: Scene, words: readonly ShellArgument[], state: ShellState): undefined {
  scene.findings.addUnclear("the command runs the commands of a file")
  for (const file of words.slice(0, 1)) reportAccess(scene, "read", file, state)
}

/** Tests of an array element evaluate its index as arithmetic, which can run commands. */
function judgeTest(scene: Scene, words: readonly ShellArgument[]): undefined {
  if (words.some((word) => word.value === "-v" || word.value === "-R"))
    scene.findings.addUnclear("a test of a variable can run commands")
}
