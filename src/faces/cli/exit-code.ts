import type { RunResult } from "../../run/drive/proof.ts"
import type { Outcome } from "../../run/log/event-outcome.ts"

/** What the shell learns from a command. */
export const exitCode = {
  /** Done; of a run: it completed. */
  fine: 0,
  /** Problems were found, or what was asked for could not be done for a reason that the message names; of a run: it failed, or said nothing. */
  problems: 1,
  /** The command line itself is wrong, or asks for a second run where `--dedupe` allows one. */
  usage: 2,
  /** A run was ended by one of its limits, by a clock, or because it went in circles. */
  limit: 3,
  /** A run ended because every call it made was refused. */
  denied: 4,
  /** A run was cancelled, from another process. */
  cancelled: 5,
  /** What a project defines was to be run, and nobody has said that it is trusted as it is; or settings or hooks of it are not what was trusted. */
  untrusted: 6,
  /** A run waits for a person: approve or deny its calls, then resume it. */
  resting: 7,
  /** A run ended without anybody knowing whether one of its calls took effect. */
  uncertain: 8,
  /** A fault of cadre itself: EX_SOFTWARE of sysexits.h, which no command uses for anything else. */
  fault: 70,
  /** 128 and the number of the signal, as shells have it: SIGHUP. */
  hungUp: 129,
  /** SIGINT: Ctrl-C. */
  interrupted: 130,
  /** SIGPIPE: nobody reads what a run prints while it is at work. */
  unread: 141,
  /** SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** Signals that end a command; the last is the one for a reader that has gone. */
export const signalCodes = {
  SIGHUP: exitCode.hungUp,
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGPIPE: exitCode.unread,
} as const satisfies Readonly<Partial<Record<NodeJS.Signals, ExitCode>>>

export type Signal = keyof typeof signalCodes

/** What a run's end tells the shell. One that nobody drives any more and that is no rest has failed here. */
export function resultCode({ status, outcome }: Pick<RunResult, "status" | "outcome">): ExitCode {
  if (outcome) return outcomeCodes[outcome.type]
  return status === "resting" ? exitCode.resting : exitCode.problems
}

const outcomeCodes: Readonly<Record<Outcome["type"], ExitCode>> = {
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
