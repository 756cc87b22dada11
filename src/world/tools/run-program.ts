import { constants } from "node:os"
import { describeThrown } from "../../ground/errors.ts"

export interface PlainProgram {
  /** An absolute path: PATH is not searched, because it may name the workspace. */
  readonly file: string
  readonly words: readonly string[]
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** The text on standard input. Default: none. */
  readonly input?: string
  /** Milliseconds. */
  readonly timeout: number
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface ProgramEnd {
  readonly output: Buffer
  readonly errors: string
  readonly exitCode: number | undefined
  /** The reason why the program was stopped: too much output, the timeout, or the abort signal. */
  readonly stopped?: "output" | "time" | "abort"
}

/** Runs a program without a shell and with a minimal environment, and stops it at a limit. */
export async function runPlainProgram(program: PlainProgram): Promise<ProgramEnd> {
  const { spawn } = await import("node:child_process")
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let errors = ""
    let stopped: ProgramEnd["stopped"]
    const child = spawn(program.file, program.words, {
      cwd: program.cwd,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", ...program.environment },
      stdio: [program.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      windowsHide: true,
    })
    // A program that ends early does not read its input, which is no failure of its own.
    child.stdin?.on("error", () => {})
    child.stdin?.end(program.input)
    const stop = (why: NonNullable<ProgramEnd["stopped"]>) => {
      stopped ??= why
      child.kill("SIGKILL")
    }
    const abort = () => stop("abort")
    const timer = setTimeout(stop, program.timeout, "time")
    const finish = (exitCode: number | undefined, more = "") => {
      clearTimeout(timer)
      program.signal.removeEventListener("abort", abort)
      resolve({ output: Buffer.concat(chunks), errors: errors + more, exitCode, ...(stopped && { stopped }) })
    }
    if (program.signal.aborted) abort()
    program.signal.addEventListener("abort", abort)
    // A pipe that could not be made is missing, and the error says why.
    child.stdout?.on("data", (chunk: Buffer) => {
      const room = program.mostBytes - size
      if (room > 0) chunks.push(chunk.subarray(0, room))
      size += chunk.length
      if (size > program.mostBytes) stop("output")
    })
    child.stderr?.on("data", (chunk: Buffer) => {
      if (errors.length < 10_000) errors += chunk.toString()
    })
    child.on("error", (error) => finish(undefined, describeThrown(error)))
    child.on("close", (code, signal) =>
      finish(code ?? (signal ? 128 + constants.signals[signal] : undefined)),
    )
  })
}
