import type { Json } from "../../ground/message.ts"

/**
 * The recorded results of agents with `cache`. An error that it throws prevents the reuse and never fails the
 * run.
 */
export interface ResultCache {
  /**
   * A digest of the current content of these files, which are paths and patterns in a folder. A missing file
   * counts as missing.
   */
  digest(inputs: readonly string[], folder: string): Promise<string>
  /** The result that was recorded under this key. Undefined: there is none. */
  get(key: string): Promise<RecordedResult | undefined>
  /** Records a result under a key, and replaces an earlier one. */
  put(key: string, result: RecordedResult): Promise<void>
}

/** The result of a run, without its usage. */
export interface RecordedResult {
  /** The id of the run that had this result. */
  readonly run: string
  /** The time at which the run ended. */
  readonly at: number
  /** The final text of that run. */
  readonly output: string
  /** The value that it submitted. Absent: its result is only a text. */
  readonly value?: Json
}
