import type { Surroundings } from "../command.ts"
import { type Signal, signalCodes } from "../exit-code.ts"

/**
 * Signals for whoever listens; without a listener they do what they always do. The second one ends the process at once.
 * A reader of stdout that has gone is told as SIGPIPE, which Node itself ignores.
 */
export function signalsOf(stdout: NodeJS.WriteStream): {
  readonly onSignal: NonNullable<Surroundings["onSignal"]>
  heard(): boolean
} {
  let heard = false
  let listening: ((signal: Signal) => void) | undefined
  const tell = (signal: Signal) => {
    if (heard) process.exit(signalCodes[signal])
    heard = true
    listening?.(signal)
  }
  // In place of the listener of main.ts, which knows of nothing that is at work.
  stdout.removeAllListeners("error")
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    // What has nothing at work just ends; and every further write fails as well.
    if (listening && !heard) tell("SIGPIPE")
  })
  return {
    heard: () => heard,
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
