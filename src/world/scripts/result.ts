import type { Json } from "../../ground/message.ts"

/**
 * The reasons why a script gave no value. The codes are those of Remora's executor; `INTERRUPTED` is cadre's own: an external call
 * had started when the process died, and its outcome is unknown.
 */
export type ScriptErrorCode =
  | "FILE_NOT_FOUND"
  | "LOAD_ERROR"
  | "GRAIL_CHECK"
  | "LIMIT"
  | "EXECUTION"
  | "GRAIL"
  | "INTERNAL"
  | "TIMEOUT"
  | "PROCESS_CRASH"
  | "INTERRUPTED"

export type LimitType = "memory" | "duration" | "recursion" | "output"

/** The end of one run of a script. */
export type ScriptResult =
  | { readonly error: false; readonly value: Json; readonly printed?: string }
  | ScriptFailure

export interface ScriptFailure {
  readonly error: true
  readonly code: ScriptErrorCode
  readonly message: string
  readonly limit?: LimitType
  /** The place in the script, from 1. */
  readonly line?: number
  readonly column?: number
  readonly printed?: string
}

export const createScriptFailure = (
  code: ScriptErrorCode,
  message: string,
  more: Omit<ScriptFailure, "error" | "code" | "message"> = {},
): ScriptFailure => ({ error: true, code, message, ...more })
