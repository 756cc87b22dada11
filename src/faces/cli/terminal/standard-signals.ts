import type { ProcessContext } from "../command.ts"
import { type Signal, signalCodes } from "../exit-code.ts"

/**
 * Passes signals to the listeners; without one, signals have their default effect. A listener hears two signals at most. The
 * third one ends the process at once. A closed stdout is reported as SIGPIPE, which Node itself ignores.
 */
export function createSignals(stdout: NodeJS.WriteStream): {
  readonly onSignal: NonNullable<ProcessContext["onSignal"]>
  hasReceivedSignal(): boolean
} {
  let received = 0
  const listeners = new Set<(signal: Signal) => void>()
  const tell = (signal: Signal) => {
    received++
    if (received > 2) process.exit(signalCodes[signal])
    for (const listener of listeners) listener(signal)
  }
  // Replaces the listener of main.ts, which would exit in the middle of a run.
  stdout.removeAllListeners("error")
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    // Without a listener nothing is running, so the command just ends. Every further write fails as well.
    if (listeners.size > 0 && received === 0) tell("SIGPIPE")
  })
  return {
    hasReceivedSignal: () => received > 0,
    onSignal(listener) {
      if (listeners.size === 0) for (const signal of caught) process.on(signal, tell)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        // After a signal, the next one must not end the process in the middle of its last output.
        if (listeners.size === 0 && received === 0) for (const signal of caught) process.off(signal, tell)
      }
    },
  }
}

const caught = ["SIGHUP", "SIGINT", "SIGTERM"] as const
