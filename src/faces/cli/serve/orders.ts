import type { ServedBeginning } from "../../mcp-server/served-project.ts"

/** An order of a server to the process that drives its runs. */
export type DriverOrder = { readonly id: number } & (
  | ({ readonly type: "start" } & ServedBeginning)
  | { readonly type: "resume"; readonly run: string }
)

/** The answer to an order. `idle`: every run has ended or rests. `failed`: a run that had begun could not go on. */
export type DriverReport =
  | { readonly type: "begun"; readonly id: number; readonly run: string }
  | { readonly type: "refused"; readonly id: number; readonly code?: string; readonly message: string }
  | { readonly type: "failed"; readonly run: string; readonly message: string }
  | { readonly type: "idle" }
