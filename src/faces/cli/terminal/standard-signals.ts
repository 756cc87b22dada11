import type { ProcessContext } from "../command.ts"
import { type Signal, signalCodes } from "../exit-code.ts"

/**
 * Passes signals to the listener; without one, signals have their default effect. The second signal ends the process at
 * once. A closed stdout is reported as SIGPIPE, which Node itself ignores.
 */
export function signalsOf(stdout: NodeJS.WriteStream): {
  readonly onSignal: NonNullable<ProcessContext["onSignal"]>
  hasReceivedSignal(): boolean
} {
  let hasReceived = false
  let listening: ((signal: Signal) => void) | undefined
  const tell = (signal: Signal) => {
    if (hasReceived) process.exit(signalCodes[signal])
    hasReceived = true
    listening?.(signal)
  }
  // Replaces the listener of main.ts, which would exit in the middle of a run.
  stdout.removeAllListeners("error")
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    // Without a listener nothing is running, so the command just ends. Every further write fails as well.
    if (listening && !hasReceived) tell("SIGPIPE")
  })
  return {
    hasReceivedSignal: () => hasReceived,
    onSignal(listener) {
      listening = listener
      for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, tell)
      return () => {
        listening = undefined
        for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.off(signal, tell)
      }
    },
  }
}
