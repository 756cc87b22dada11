/** What the shell learns from a command. */
export const exitCode = {
  fine: 0,
  /** Problems were found, or what was asked for could not be done for a reason that the message names. */
  problems: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** A fault of cadre itself: EX_SOFTWARE of sysexits.h, which no command uses for anything else. */
  fault: 70,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
