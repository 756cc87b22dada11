import type { RunResult } from "../../run/drive/proof.ts"
import type { RunOutcome } from "../../run/log/event-outcome.ts"

/** The exit codes of all commands. */
export const exitCode = {
  /** The command succeeded. For a run: it completed. */
  fine: 0,
  /** The command found problems, or failed for the reason in its message. For a run: it failed, or gave no output. */
  problems: 1,
  /** The command line is wrong, or asks for a second run where `--dedupe` allows only one. */
  usage: 2,
  /** The run reached a limit, timed out, or was stopped in a loop. */
  limit: 3,
  /** The run ended because all its calls were denied. */
  denied: 4,
  /** The run was cancelled from another process. */
  cancelled: 5,
  /** The project's agent is not trusted, or trusted settings or hooks have changed or are gone. */
  untrusted: 6,
  /** The run waits for a person to approve or deny its calls, and then has to be resumed. */
  resting: 7,
  /** The run ended, and it is unknown whether one of its calls took effect. */
  uncertain: 8,
  /** A bug in cadre: EX_SOFTWARE of sysexits.h. No command uses this code for anything else. */
  fault: 70,
  /** SIGHUP. As in shells, the code for a signal is 128 plus its number. */
  hungUp: 129,
  /** SIGINT: Ctrl-C. */
  interrupted: 130,
  /** SIGPIPE: the reader of stdout closed it while the run was still working. */
  unread: 141,
  /** SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** The signals that end a command. SIGPIPE stands for a closed stdout. */
export const signalCodes = {
  SIGHUP: exitCode.hungUp,
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGPIPE: exitCode.unread,
} as const satisfies Readonly<Partial<Record<NodeJS.Signals, ExitCode>>>

export type Signal = keyof typeof signalCodes

/** The exit code for the state that a run stopped in. A run that stopped without ending or resting counts as failed. */
export function getResultCode({ status, outcome }: Pick<RunResult, "status" | "outcome">): ExitCode {
  if (outcome) return outcomeCodes[outcome.type]
  return status === "resting" ? exitCode.resting : exitCode.problems
}

const outcomeCodes: Readonly<Record<RunOutcome["type"], ExitCode>> = {
  completed: exitCode.fine,
  failed: exitCode.problems,
  "no-output": exitCode.problems,
  limit: exitCode.limit,
  "timed-out": exitCode.limit,
  loop: exitCode.limit,
  denied: exitCode.denied,
  cancelled: exitCode.cancelled,
  uncertain: exitCode.uncertain,
}
