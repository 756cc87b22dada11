/** Something that is wrong with a pipeline, and where. */
export interface Finding {
  readonly code:
    | "pipeline-agent"
    | "pipeline-duplicate"
    | "pipeline-expression"
    | "pipeline-invalid"
    | "pipeline-name"
    | "pipeline-type"
    | "pipeline-unbounded"
    | "pipeline-wait"
  /** The first part is `inputs`, `steps` or `outputs`. */
  readonly path: readonly (string | number)[]
  /** `key`: it is the name of the last part that is wrong. */
  readonly about?: "key"
  /** The part of a text that it is about. */
  readonly inside?: { readonly text: string; readonly offset: number; readonly length: number }
  readonly message: string
}
