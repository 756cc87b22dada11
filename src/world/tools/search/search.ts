import type { ToolContext } from "../../../agent/tool.ts"
import { Glob } from "../../../ground/paths/glob.ts"
import type { WalkEntry } from "../../../ground/paths/walk.ts"
import type { ToolWorkspace, UsablePath } from "../workspace.ts"

/** A search of Grep: its pattern, its place and its bounds. */
export interface Search {
  readonly workspace: ToolWorkspace
  readonly context: ToolContext
  readonly place: UsablePath
  readonly kind: WalkEntry["kind"]
  readonly pattern: string
  readonly glob?: string
  readonly letters: "exact" | "any-case"
  readonly span: "line" | "lines"
  readonly before: number
  readonly after: number
  /** `files`: one match in a file is enough. */
  readonly detail: "files" | "lines"
  readonly deadline: number
}

export interface FileMatches {
  readonly path: string
  /** Matching lines, and those around them, in order. */
  readonly lines: readonly { readonly number: number; readonly text: string; readonly isMatch: boolean }[]
}

/** The end of a search: `cut` says why it is incomplete. */
export interface SearchEnd {
  cut?: string
}

/** The most matches in one file; further ones are left out. */
export const mostMatchesInFile = 2000

/** The glob for paths below the folder; without a slash it matches in every subfolder. */
export const toPathGlob = (glob: string): Glob =>
  new Glob(glob.includes("/") ? glob.replace(/^\//, "") : `**/${glob}`)
