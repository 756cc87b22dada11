/** A change that a patch asks for, in whichever format it is written. */
export type FileChange =
  | { readonly type: "add"; readonly path: string; readonly content: string }
  | { readonly type: "delete"; readonly path: string }
  | {
      readonly type: "update"
      readonly path: string
      readonly moveTo?: string
      readonly hunks: readonly Hunk[]
    }

export interface Hunk {
  /** Lines that occur somewhere above the hunk, in order. */
  readonly headers: readonly string[]
  /**
   * The line of the hunk in the old file and in the new one, when the patch was made; the first line is 1.
   */
  readonly at?: { readonly old: number; readonly new: number }
  readonly lines: readonly HunkLine[]
  /** The hunk is at the end of the file. */
  readonly isEnd: boolean
  /** True for each version of the file that has no line break at its end. Absent: both versions have one, or it is unknown. */
  readonly lacksFinalBreak?: { readonly old: boolean; readonly new: boolean }
}

export interface HunkLine {
  readonly kind: "keep" | "remove" | "add"
  readonly text: string
}

/** The hunk that undoes this one. */
export const invertHunk = (hunk: Hunk): Hunk => ({
  ...hunk,
  ...(hunk.at && { at: { old: hunk.at.new, new: hunk.at.old } }),
  ...(hunk.lacksFinalBreak && {
    lacksFinalBreak: { old: hunk.lacksFinalBreak.new, new: hunk.lacksFinalBreak.old },
  }),
  lines: hunk.lines.map(({ kind, text }) => ({ kind: opposites[kind], text })),
})

const opposites = { keep: "keep", remove: "add", add: "remove" } as const

/** Reads a line of a hunk; undefined if it is not one. An empty line has lost the space at its start. */
export function readHunkLine(line: string): HunkLine | undefined {
  if (line === "") return { kind: "keep", text: "" }
  const kind = kinds[line[0]!]
  return kind && { kind, text: line.slice(1) }
}

const kinds: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "remove", "+": "add" }
