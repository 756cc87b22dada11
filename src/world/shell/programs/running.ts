import { type Call, has, type Judged, lastValue, use, valuesOf } from "../known-program.ts"
import { type Argument, plainArgument } from "../resolve-word.ts"
import { touch } from "../scene.ts"
import type { State } from "../state.ts"
import { changesPrograms } from "../variable-names.ts"
import { beside } from "./coreutils.ts"
import { moved } from "./packing.ts"

/** Programs that run the command which their operands are. */
export const running: Readonly<Record<string, Judged>> = {
  env: (call) => {
    const folder = lastValue(call, "-C", "--chdir")
    const state = folder ? moved(call, folder, call.state) : call.state
    const start = call.operands.findIndex(({ value }) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(value ?? ""))
    const assigned = start < 0 ? call.operands : call.operands.slice(0, start)
    for (const { value = "" } of assigned) {
      const [name = "", text] = value.split(/=(.*)/s)
      if (changesPrograms(name, text)) call.scene.found.unclear(`setting ${name} can change what runs`)
    }
    if (start >= 0) runs(call, "env", call.operands.slice(start), { ...state, variables: new Map() })
  },
  timeout: (call) => runs(call, "timeout", call.operands.slice(1)),
  nice: (call) => runs(call, "nice", call.operands),
  nohup: (call) => runs(call, "nohup", call.operands),
  stdbuf: (call) => runs(call, "stdbuf", call.operands),
  setsid: (call) => runs(call, "setsid", call.operands),
  ionice: (call) => {
    if (!has(call, "-p", "--pid", "-P", "--pgid", "-u", "--uid")) runs(call, "ionice", call.operands)
  },
  taskset: (call) => {
    if (!has(call, "-p", "--pid")) runs(call, "taskset", call.operands.slice(1))
  },
  strace: (call) => {
    for (const file of valuesOf(call, "-o", "--output")) {
      if (/^[|!]/.test(file.value ?? "|"))
        call.scene.found.unclear("strace hands what it writes to a command")
      else {
        use(call, "write", file, "strace")
        if (has(call, "-f", "--output-separately"))
          touch(call.scene, "write", beside(file), call.state, "below")
      }
    }
    runs(call, "strace", call.operands)
  },
  flock: (call) => {
    const [file, flag, text] = call.operands
    // A number alone is a file that the shell has open.
    if (file && !(call.operands.length === 1 && /^[0-9]+$/.test(file.value ?? "")))
      for (const what of ["read", "write"] as const) use(call, what, file, "flock")
    if (flag?.value !== "-c" && flag?.value !== "--command") runs(call, "flock", call.operands.slice(1))
    else shell(call, "flock", text ? [text] : [])
  },
  watch: (call) => {
    if (has(call, "-x", "--exec")) runs(call, "watch", call.operands)
    else shell(call, "watch", call.operands)
  },
  xargs: (call) => {
    call.scene.found.unclear("xargs adds arguments from its input")
    const command = call.operands.length > 0 ? call.operands : [plainArgument("echo")]
    call.scene.run([...command, { written: "...", value: undefined, reason: "" }], call.state)
  },
}

function runs(call: Call, name: string, words: readonly Argument[], state: State = call.state): void {
  if (words.length === 0) return
  const first = words[0]!.value
  if (first !== undefined && (first === "" || /^-|=/.test(first)))
    call.scene.found.unclear(`what ${name} runs is not plain`)
  call.scene.run(words, state)
}

function shell(call: Call, name: string, words: readonly Argument[]): void {
  if (words.length > 0 && words.every(({ value }) => value !== undefined))
    call.scene.script(words.map(({ value }) => value).join(" "), { ...call.state, dialect: "posix" })
  else if (words.length > 0) call.scene.found.unclear(`${name} hands a text to a shell`)
}
