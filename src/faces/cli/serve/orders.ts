import type { RunLimits } from "../../../ground/limits.ts"

/** An order of a server to the process that drives its runs. */
export type DriverOrder = { readonly id: number } & (
  | {
      readonly type: "start"
      readonly agent: string
      readonly task: string
      readonly folder: string
      readonly dedupe: string
      readonly model?: string
      readonly limits?: Pick<RunLimits, "timeout" | "maxTurns">
    }
  | { readonly type: "resume"; readonly run: string }
)

/** The answer to an order. `idle`: every run has ended or rests. `failed`: a run that had begun could not go on. */
export type DriverReport =
  | { readonly type: "begun"; readonly id: number; readonly run: string }
  | { readonly type: "refused"; readonly id: number; readonly code?: string; readonly message: string }
  | { readonly type: "failed"; readonly run: string; readonly message: string }
  | { readonly type: "idle" }
