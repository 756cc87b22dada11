import type { ToolContext } from "../../../agent/tool.ts"
import { Glob } from "../../../ground/paths/glob.ts"
import type { Found } from "../../../ground/paths/walk.ts"
import type { Usable, Workspace } from "../workspace.ts"

/** What Grep looks for, and where. */
export interface Search {
  readonly workspace: Workspace
  readonly context: ToolContext
  readonly place: Usable
  readonly kind: Found["kind"]
  readonly pattern: string
  readonly glob?: string
  readonly letters: "exact" | "any-case"
  readonly span: "line" | "lines"
  readonly before: number
  readonly after: number
  /** `files`: one match of a file is enough. */
  readonly detail: "files" | "lines"
  readonly deadline: number
}

export interface FileMatches {
  readonly path: string
  /** Matching lines, and those around them, in order. */
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isMatch: boolean }[]
}

/** What is told when a search is over. */
export interface SearchEnd {
  cut?: string
}

/** Of one file; a file with more is cut here. */
export const mostMatchesInFile = 2000

/** For paths below the folder; without a slash it holds in every one. */
export const pathPattern = (glob: string): Glob =>
  new Glob(glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`)
