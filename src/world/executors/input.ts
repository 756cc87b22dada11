import type { JsonMap } from "../../ground/message.ts"
import type { Handed } from "./hand-over.ts"

/** What a program is to do. `command` is what was configured when that was planned: a person may have said yes to it since. */
export interface ExecutorInput extends Handed {
  readonly executor: string
  readonly command: readonly string[]
  readonly wants: "text" | "value"
  readonly model?: string
  readonly effort?: string
  readonly schema?: JsonMap
  readonly prompt: string
}
