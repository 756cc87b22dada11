import { spawn } from "node:child_process"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import type { ProcessContext } from "../command.ts"

/** A run that took less than this many milliseconds is not announced on the terminal: the person still looks at it. */
const longRun = 30_000

/** Milliseconds that the command of `--notify` gets. */
const grace = 10_000

interface Announcement {
  readonly result: RunResult
  /** Milliseconds from the start of the command. */
  readonly took: number
  readonly notify: "bell" | "osc9" | "off"
  /** The command of `--notify`. */
  readonly command: string | undefined
}

/** Tells a person that a run rests or has ended: by the terminal, and by the command of `--notify`. */
export async function notifyPerson(
  { result, took, notify, command }: Announcement,
  { stderr, screen, environment }: Pick<ProcessContext, "stderr" | "screen" | "environment">,
): Promise<void> {
  const state = result.outcome?.type ?? result.status
  if (screen && took >= longRun) stderr.write(signalOf(notify, `${result.agent}: ${state}`))
  if (command === undefined) return
  const problem = await runCommand(command, {
    ...environment,
    CADRE_RUN: result.run,
    CADRE_AGENT: result.agent,
    CADRE_STATE: state,
  })
  if (problem !== undefined) stderr.write(`The command of --notify ${escapeText(problem)}.\n`)
}

function signalOf(notify: Announcement["notify"], text: string): string {
  switch (notify) {
    case "bell":
      return "\u0007"
    case "osc9":
      return `\u001b]9;${escapeText(text)}\u0007`
    case "off":
      return ""
  }
}

function runCommand(command: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const child = spawn(command, { shell: true, stdio: "ignore", env })
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      resolve(`took longer than ${grace / 1_000} seconds`)
    }, grace)
    const end = (problem: string | undefined) => {
      clearTimeout(timer)
      resolve(problem)
    }
    child.once("error", ({ message }) => end(`could not be started: ${message}`))
    child.once("exit", (code, signal) =>
      end(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
    )
  })
}
