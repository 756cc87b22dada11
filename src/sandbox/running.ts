import { type ChildProcess, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { markerName } from "./child-environment.ts"
import { Output } from "./output.ts"
import { limitProcesses, type ProcessLimit } from "./process-limit.ts"
import { killMarked, processCount, processesInNamespaceOf, processesLedBy, sendSignal } from "./processes.ts"
import type { CommandInput, CommandLimits, CommandResult, Ending } from "./run-command.ts"
import { sandboxArguments } from "./sandbox-arguments.ts"
import { hostName, hostValue, startWatchdog } from "./watchdog.ts"

/** With what bubblewrap said where it did not get to the command. */
type Ended = Omit<CommandResult, "unsandboxed" | "replaced"> & { readonly failed?: string }

/** A command at work, until it and everything it started has ended. */
export class Running {
  readonly ended: Promise<Ended>
  readonly #input: CommandInput
  readonly #limits: CommandLimits
  readonly #child: ChildProcess
  readonly #output: Output
  readonly #boxed: boolean
  readonly #group: ProcessLimit | undefined
  readonly #timers: NodeJS.Timeout[] = []
  #problem = ""
  #information = ""
  #ending: Ending = "exit"
  #stopping = false
  /** It has to be over before anything else can carry the same mark. */
  #sweeping: Promise<void> | undefined

  constructor(
    input: CommandInput,
    limits: CommandLimits,
    { path, words }: { path?: string; words: readonly string[] },
  ) {
    this.#input = input
    this.#limits = limits
    this.#boxed = path !== undefined
    this.#output = new Output({ head: limits.kept / 2, tail: limits.kept / 2 })
    // In a sandbox, too: a host that is killed while bubblewrap begins is missed by it.
    startWatchdog()
    this.#group = limitProcesses(limits.processes)
    const { PATH = "" } = input.environment
    const joining = this.#group
      ? ["/bin/sh", "-c", 'echo $$ 2>/dev/null > "$0"; exec "$@"', this.#group.members]
      : []
    const box =
      path === undefined
        ? []
        : [path, ...sandboxArguments({ ...input.bounds, cwd: input.cwd, path: PATH }), "--info-fd", "3", "--"]
    const [program, ...rest] = [...joining, ...box, ...words]
    this.#child = spawn(program!, rest, {
      cwd: this.#boxed ? "/" : input.cwd,
      env: { ...input.environment, [hostName]: hostValue },
      stdio: ["ignore", "pipe", "pipe", this.#boxed ? "pipe" : "ignore"],
      // A group and a terminal-less life of its own.
      detached: true,
    })
    this.ended = this.#run()
  }

  async #run(): Promise<Ended> {
    const { signal, timeout } = this.#input
    const child = this.#child
    const abort = () => this.#stop("aborted")
    const exited = new Promise<number>((resolve, reject) => {
      child.once("error", reject)
      child.once("exit", (code, killed) => resolve(code ?? 128 + (numbers[killed ?? ""] ?? 9)))
    })
    const closed = new Promise((resolve) => child.once("close", resolve))
    child.stdout!.on("data", (chunk: Buffer) => this.#read(chunk))
    child.stderr!.on("data", (chunk: Buffer) => {
      this.#problem = (this.#problem + chunk.toString()).slice(0, 2_000)
    })
    const information = child.stdio[3] as Readable | null
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
      // In a sandbox the kernel does it.
      await this.#sweeping
      if (!this.#boxed) await this.#sweep()
      // What is still in the pipe; not what a process left behind might yet write.
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 200).unref())])
      const { head, tail } = this.#output.text
      // The command's own errors go where its output goes: here only bubblewrap speaks.
      const failed = this.#problem.startsWith("bwrap:") && this.#output.bytes === 0 && this.#ending === "exit"
      return {
        ended: this.#ending,
        exitCode,
        head,
        tail,
        omitted: this.#output.omitted,
        ...(failed && { failed: this.#problem.trim() }),
      }
    } finally {
      for (const timer of this.#timers) clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
      this.#group?.remove()
      for (const stream of [child.stdout, child.stderr, information]) stream?.destroy()
    }
  }

  #read(chunk: Buffer): void {
    if (this.#ending === "output-limit") return
    this.#output.add(chunk)
    if (this.#output.bytes <= this.#limits.output) return
    this.#ending = "output-limit"
    this.#kill()
  }

  /** Asks the command to end, and kills it when it does not. */
  #stop(why: Ending): void {
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
    const led = pid === undefined ? [] : processesLedBy(pid)
    for (const id of [...led, ...(this.#group?.processes() ?? [])]) sendSignal(id, "SIGKILL")
    const marker = this.#input.environment[markerName]
    if (marker !== undefined) await killMarked(markerName, marker)
  }

  /** The first process inside, as it is called outside. It leads the group of all others, and no SIGTERM ends it. */
  #firstInside(): number | undefined {
    const found = /"child-pid":\s*([0-9]+)/.exec(this.#information)?.[1]
    return found === undefined ? undefined : Number(found)
  }

  /** At its limit a command only waits for processes that it does not get. */
  #count(): void {
    if (!(this.#group?.wasMet() ?? this.#isFull())) return
    this.#ending = "process-limit"
    this.#kill()
  }

  #isFull(): boolean {
    const most = this.#limits.processes * 0.95
    const first = this.#firstInside()
    return first !== undefined && processCount() > most && processesInNamespaceOf(first) > most
  }
}

const numbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGTERM: 15,
  SIGXFSZ: 25,
}
