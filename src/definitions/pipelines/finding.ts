import type { PlacedProblem } from "../../ground/diagnostics/problem.ts"

/** Something that is wrong with a pipeline, and where: the first part of its path is `inputs`, `steps` or `outputs`. */
export interface Finding extends Omit<PlacedProblem, "offset" | "length"> {
  readonly code:
    | "pipeline-agent"
    | "pipeline-duplicate"
    | "pipeline-expression"
    | "pipeline-invalid"
    | "pipeline-name"
    | "pipeline-type"
    | "pipeline-unbounded"
    | "pipeline-wait"
  /** The part of a text that it is about. */
  readonly inside?: { readonly text: string; readonly offset: number; readonly length: number }
}
