import {
  type CallJudge,
  findLastOptionValue,
  hasOption,
  listOptionValues,
  type ProgramCall,
  reportUse,
} from "../known-program.ts"
import { makePlainArgument, type ShellArgument } from "../resolve-word.ts"
import { reportAccess } from "../scene.ts"
import type { ShellState } from "../state.ts"
import { changesPrograms } from "../variable-names.ts"
import { getArgumentFolder } from "./coreutils.ts"
import { enterFolder } from "./packing.ts"

/** Programs that run their operands as a command. */
export const commandRunners: Readonly<Record<string, CallJudge>> = {
  env: (call) => {
    const folder = findLastOptionValue(call, "-C", "--chdir")
    const state = folder ? enterFolder(call, folder, call.state) : call.state
    const start = call.operands.findIndex(({ value }) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(value ?? ""))
    const assigned = start < 0 ? call.operands : call.operands.slice(0, start)
    for (const { value = "" } of assigned) {
      const [name = "", text] = value.split(/=(.*)/s)
      if (changesPrograms(name, text)) call.scene.findings.addUnclear(`setting ${name} can change what runs`)
    }
    if (start >= 0) runWords(call, "env", call.operands.slice(start), { ...state, variables: new Map() })
  },
  timeout: (call) => runWords(call, "timeout", call.operands.slice(1)),
  nice: (call) => runWords(call, "nice", call.operands),
  nohup: (call) => runWords(call, "nohup", call.operands),
  stdbuf: (call) => runWords(call, "stdbuf", call.operands),
  setsid: (call) => runWords(call, "setsid", call.operands),
  ionice: (call) => {
    if (!hasOption(call, "-p", "--pid", "-P", "--pgid", "-u", "--uid"))
      runWords(call, "ionice", call.operands)
  },
  taskset: (call) => {
    if (!hasOption(call, "-p", "--pid")) runWords(call, "taskset", call.operands.slice(1))
  },
  strace: (call) => {
    for (const file of listOptionValues(call, "-o", "--output")) {
      if (/^[|!]/.test(file.value ?? "|"))
        call.scene.findings.addUnclear("strace sends its output to a command")
      else {
        reportUse(call, "write", file, "strace")
        if (hasOption(call, "-f", "--output-separately"))
          reportAccess(call.scene, "write", getArgumentFolder(file), call.state, "below")
      }
    }
    runWords(call, "strace", call.operands)
  },
  flock: (call) => {
    const [file, flag, text] = call.operands
    // A number alone is the descriptor of a file that the shell has open.
    if (file && !(call.operands.length === 1 && /^[0-9]+$/.test(file.value ?? "")))
      for (const what of ["read", "write"] as const) reportUse(call, what, file, "flock")
    if (flag?.value !== "-c" && flag?.value !== "--command") runWords(call, "flock", call.operands.slice(1))
    else runInShell(call, "flock", text ? [text] : [])
  },
  watch: (call) => {
    if (hasOption(call, "-x", "--exec")) runWords(call, "watch", call.operands)
    else runInShell(call, "watch", call.operands)
  },
  xargs: (call) => {
    call.scene.findings.addUnclear("xargs adds arguments from its input")
    const command = call.operands.length > 0 ? call.operands : [makePlainArgument("echo")]
    call.scene.run([...command, { written: "...", value: undefined, reason: "" }], call.state)
  },
}

function runWords(
  call: ProgramCall,
  name: string,
  words: readonly ShellArgument[],
  state: ShellState = call.state,
): void {
  if (words.length === 0) return
  const first = words[0]!.value
  if (first !== undefined && (first === "" || /^-|=/.test(first)))
    call.scene.findings.addUnclear(`the command that ${name} runs cannot be determined`)
  call.scene.run(words, state)
}

function runInShell(call: ProgramCall, name: string, words: readonly ShellArgument[]): void {
  if (words.length > 0 && words.every(({ value }) => value !== undefined))
    call.scene.script(words.map(({ value }) => value).join(" "), { ...call.state, dialect: "posix" })
  else if (words.length > 0) call.scene.findings.addUnclear(`${name} passes a text to a shell`)
}
