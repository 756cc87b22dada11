import type { Json } from "../../ground/message.ts"

/** Where results are recorded for agents with `cache`. What it throws costs the reuse, not the run. */
export interface ResultCache {
  /** One word for what these files hold now, found by paths and patterns in a folder; one that is missing counts as such. */
  digest(inputs: readonly string[], folder: string): Promise<string>
  get(key: string): Promise<RecordedResult | undefined>
  put(key: string, result: RecordedResult): Promise<void>
}

/** What a run came to, without what it took. */
export interface RecordedResult {
  readonly run: string
  /** When it ended. */
  readonly at: number
  readonly output: string
  readonly value?: Json
}
