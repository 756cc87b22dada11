import type { JsonMap } from "../../ground/message.ts"
import type { HandedRestrictions } from "./hand-over.ts"

/**
 * The input of one program call. `command` is the command that was configured when the call was planned, because a
 * person may have approved exactly that.
 */
export interface ExecutorInput extends HandedRestrictions {
  readonly executor: string
  readonly command: readonly string[]
  readonly wants: "text" | "value"
  readonly model?: string
  readonly effort?: string
  readonly schema?: JsonMap
  readonly prompt: string
}
