/** What a patch asks for, whichever way it is written. */
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
  /** Lines that stand somewhere above it, in order. */
  readonly headers: readonly string[]
  /** Where it stood for whoever made the patch: in the old file and in the new one, the first line being 1. */
  readonly at?: { readonly old: number; readonly new: number }
  readonly lines: readonly HunkLine[]
  /** It is the end of the file. */
  readonly isEnd: boolean
  /** Which of the files has no line break at its end, where the patch says so. */
  readonly unended?: { readonly old: boolean; readonly new: boolean }
}

export interface HunkLine {
  readonly kind: "keep" | "remove" | "add"
  readonly text: string
}

/** What undoes it. */
export const inverted = (hunk: Hunk): Hunk => ({
  ...hunk,
  ...(hunk.at && { at: { old: hunk.at.new, new: hunk.at.old } }),
  ...(hunk.unended && { unended: { old: hunk.unended.new, new: hunk.unended.old } }),
  lines: hunk.lines.map(({ kind, text }) => ({ kind: opposites[kind], text })),
})

const opposites = { keep: "keep", remove: "add", add: "remove" } as const

/** A line of a hunk; undefined for what is none. An empty line is one that lost the space it began with. */
export function hunkLine(line: string): HunkLine | undefined {
  if (line === "") return { kind: "keep", text: "" }
  const kind = kinds[line[0]!]
  return kind && { kind, text: line.slice(1) }
}

const kinds: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "remove", "+": "add" }
