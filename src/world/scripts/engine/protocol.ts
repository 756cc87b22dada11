import type { Json, JsonMap } from "../../../ground/message.ts"
import type { ScriptLimits } from "../limits.ts"
import type { ScriptResult } from "../result.ts"

/** The messages between cadre and the process that runs scripts: one line of JSON each. */
export type EngineRequest = EngineStart | EngineAnswer

export interface EngineStart {
  readonly type: "start"
  readonly language: "python" | "javascript" | "typescript"
  readonly name: string
  readonly program: string
  readonly inputs: JsonMap
  readonly externals: readonly string[]
  readonly limits: ScriptLimits
  /** The state of the script at its last external call, which is answered next. */
  readonly snapshot?: string
}

/** The answer of the host to an external call. */
export type EngineAnswer =
  | { readonly type: "answer"; readonly value: Json }
  | { readonly type: "answer"; readonly problem: ExternalProblem }

/** The exception that the script sees. */
export interface ExternalProblem {
  readonly kind: "PermissionError" | "FileNotFoundError" | "ValueError" | "OSError" | "RuntimeError"
  readonly message: string
}

export type EngineReply =
  | { readonly type: "ready" }
  /** The interpreter is loaded, and the script begins to compute. */
  | { readonly type: "loaded" }
  | { readonly type: "external"; readonly name: string; readonly input: JsonMap; readonly snapshot?: string }
  | { readonly type: "end"; readonly result: ScriptResult; readonly isSpent?: true }
  /** The snapshot does not load here: the script must run again. */
  | { readonly type: "snapshot-refused" }

/** Asks the host and waits for its answer. */
export type AskHost = (name: string, input: JsonMap, snapshot?: string) => Promise<EngineAnswer>

/** The most characters of a result, of one external call and of everything that a script prints. */
export const mostResult = 4 * 2 ** 20
export const mostPrinted = 64 * 1024
/** A longer snapshot is not kept: the script would run again. */
export const mostSnapshot = 32 * 1024
