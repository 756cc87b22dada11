import { type Signal, signalCodes } from "./exit-code.ts"

/** A signal came before the run had started. */
export class InterruptedError extends Error {
  readonly exitCode: (typeof signalCodes)[Signal]

  constructor(signal: Signal) {
    super(
      `The run was interrupted (${signal}) before it started. Nothing was recorded, so there is nothing to resume.`,
    )
    this.exitCode = signalCodes[signal]
  }
}
