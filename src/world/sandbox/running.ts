import { type ChildProcess, spawn } from "node:child_process"
import os from "node:os"
import type { Readable, Writable } from "node:stream"
import { hostName, markerName } from "./child-environment.ts"
import { hostValue } from "./host.ts"
import { Output } from "./output.ts"
import type { PrintedOutput, ProcessEnding, ProcessInput, ProcessLimits, ProcessResult } from "./process.ts"
import { capProcesses, type ProcessLimit } from "./process-limit.ts"
import {
  countNamespaceProcesses,
  findLedProcesses,
  killMarked,
  processCount,
  sendSignal,
} from "./processes.ts"
import { buildSandboxArguments } from "./sandbox-arguments.ts"
import { buildSystemCallFilter } from "./system-call-filter.ts"
import { startWatchdog } from "./watchdog.ts"

/** The result, with bubblewrap's error if it could not start the process. */
type EndedProcess = Omit<ProcessResult, "unsandboxed" | "replaced" | "refusedDefinitions"> & {
  readonly failed?: string
}

/** A process at work, until it and everything that it started has ended. */
export class RunningProcess {
  readonly whenEnded: Promise<EndedProcess>
  readonly #input: ProcessInput
  readonly #limits: ProcessLimits
  readonly #child: ChildProcess
  readonly #output: Output
  readonly #errors = new Output({ head: 8_192, tail: 65_536 })
  readonly #boxed: boolean
  readonly #group: ProcessLimit | undefined
  readonly #timers: NodeJS.Timeout[] = []
  #information = ""
  #ending: ProcessEnding = "exit"
  #stopping = false
  /** Another process may carry the same mark only after this is done. */
  #sweeping: Promise<void> | undefined

  constructor(
    input: ProcessInput,
    limits: ProcessLimits,
    { path, words }: { path?: string; words: readonly string[] },
  ) {
    this.#input = input
    this.#limits = limits
    this.#boxed = path !== undefined
    this.#output = new Output({ head: limits.keptOutput / 2, tail: limits.keptOutput / 2 })
    // Also in a sandbox: bubblewrap does not notice that its host is killed while it begins.
    startWatchdog()
    this.#group = capProcesses(limits.processes)
    const { PATH = "" } = input.environment
    const joining = this.#group
      ? ["/bin/sh", "-c", 'echo $$ 2>/dev/null > "$0"; exec "$@"', this.#group.members]
      : []
    const box =
      path === undefined
        ? []
        : [
            path,
            ...buildSandboxArguments({ ...input.bounds, cwd: input.cwd, path: PATH }),
            ...["--json-status-fd", "3", "--seccomp", "4", "--"],
          ]
    const [program, ...rest] = [...joining, ...box, ...words]
    this.#child = spawn(program!, rest, {
      cwd: this.#boxed ? "/" : input.cwd,
      env: { ...input.environment, [hostName]: hostValue },
      stdio: [
        input.input === undefined && !input.talk ? "ignore" : "pipe",
        ...(["pipe", "pipe"] as const),
        ...(this.#boxed ? (["pipe", "pipe"] as const) : []),
      ],
      // The process gets its own group and session, without a terminal.
      detached: true,
    })
    this.whenEnded = this.#run()
  }

  async #run(): Promise<EndedProcess> {
    const { signal, timeout, talk } = this.#input
    const child = this.#child
    const abort = () => this.#stop("aborted")
    const exited = new Promise<number>((resolve, reject) => {
      child.once("error", reject)
      child.once("exit", (code, signalName) => resolve(code ?? 128 + os.constants.signals[signalName!]))
    })
    const closed = new Promise((resolve) => child.once("close", resolve))
    // The process may end before it has read all its input.
    child.stdin?.on("error", () => {})
    if (!talk) child.stdin?.end(this.#input.input)
    else if (child.stdin) talk.onStart(child.stdin)
    // A pipe that could not be made is missing, and the error says why.
    child.stdout?.on("data", (chunk: Buffer) =>
      talk ? talk.onOutput(chunk) : this.#read(this.#output, chunk),
    )
    child.stderr?.on("data", (chunk: Buffer) =>
      talk ? this.#errors.add(chunk) : this.#read(this.#errors, chunk),
    )
    const information = child.stdio?.[3] as Readable | null | undefined
    const filter = child.stdio?.[4] as Writable | null | undefined
    filter?.on("error", () => {}).end(buildSystemCallFilter())
    information?.on("data", (chunk: Buffer) => {
      this.#information += chunk.toString()
    })
    signal?.addEventListener("abort", abort)
    if (signal?.aborted) abort()
    this.#timers.push(setTimeout(() => this.#stop("timeout"), Math.min(timeout, 2 ** 31 - 1)))
    if (this.#boxed || this.#group) this.#timers.push(setInterval(() => this.#count(), 100))
    try {
      const exitCode = await exited
      for (const timer of this.#timers) clearTimeout(timer)
      // In a sandbox the kernel ends all processes.
      await this.#sweeping
      if (!this.#boxed) await this.#sweep()
      // Waits for the rest of the pipe, but not for a process left behind that might still write.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200).unref())])
      const errors = toPrinted(this.#errors)
      // Bubblewrap reports the exit code of a process that it could start.
      const failed = errors.head.startsWith("bwrap:") && !this.#information.includes('"exit-code"')
      return {
        ending: this.#ending,
        exitCode,
        ...toPrinted(this.#output),
        errors,
        ...(failed && this.#ending === "exit" && { failed: errors.head.slice(0, 2_000).trim() }),
      }
    } finally {
      for (const timer of this.#timers) clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
      this.#group?.remove()
      for (const stream of [child.stdin, child.stdout, child.stderr, information, filter]) stream?.destroy()
    }
  }

  #read(output: Output, chunk: Buffer): void {
    if (this.#ending === "output-limit") return
    output.add(chunk)
    if (this.#output.bytes + this.#errors.bytes <= this.#limits.output) return
    this.#ending = "output-limit"
    this.#kill()
  }

  /** Asks the command to end, and kills it if it does not. */
  #stop(why: ProcessEnding): void {
    if (this.#stopping || this.#child.exitCode !== null) return
    this.#stopping = true
    this.#ending = why
    const leader = this.#boxed ? this.#firstInside() : this.#child.pid
    if (leader === undefined) return this.#kill()
    sendSignal(-leader, "SIGTERM")
    this.#timers.push(setTimeout(() => this.#kill(), this.#limits.grace))
  }

  #kill(): void {
    this.#stopping = true
    const { pid } = this.#child
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    sendSignal(-pid, "SIGKILL")
    if (!this.#boxed) this.#sweeping = this.#sweep()
  }

  async #sweep(): Promise<void> {
    const { pid } = this.#child
    const ledProcesses = pid === undefined ? [] : findLedProcesses(pid)
    for (const id of [...ledProcesses, ...(this.#group?.processes() ?? [])]) sendSignal(id, "SIGKILL")
    const marker = this.#input.environment[markerName]
    if (marker !== undefined) await killMarked(markerName, marker)
  }

  /**
   * The outside number of the first process in the sandbox. It leads the group of all others, and no SIGTERM
   * ends it.
   */
  #firstInside(): number | undefined {
    const id = /"child-pid":\s*([0-9]+)/.exec(this.#information)?.[1]
    return id === undefined ? undefined : Number(id)
  }

  /** At its limit, a command only waits for processes that it cannot get. */
  #count(): void {
    if (!(this.#group?.wasMet() ?? this.#isFull())) return
    this.#ending = "process-limit"
    this.#kill()
  }

  #isFull(): boolean {
    const most = this.#limits.processes * 0.95
    const first = this.#firstInside()
    return first !== undefined && processCount() > most && countNamespaceProcesses(first) > most
  }
}

const toPrinted = (output: Output): PrintedOutput => ({ ...output.text, omitted: output.omitted })
