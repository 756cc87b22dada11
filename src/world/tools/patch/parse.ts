import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { type FileChange, type Hunk, type HunkLine, readHunkLine } from "./patch.ts"
import { parseUnifiedDiff } from "./unified.ts"

/**
 * Reads a patch: the text between `*** Begin Patch` and `*** End Patch`, or else a unified diff. Throws a
 * Refusal.
 */
export function parsePatch(text: string): readonly FileChange[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const first = lines.findIndex((line) => line.trim() === "*** Begin Patch")
  const changes =
    first === -1 ? parseUnifiedDiff(lines) : new Reader(lines.slice(first + 1), first + 2).changes()
  if (changes.length === 0)
    throw new PathRefusal(
      'The patch names no file, so nothing was changed. Write "*** Begin Patch", then a section such as "*** Update File: path" for each file, then "*** End Patch".',
    )
  return changes
}

const marks = {
  add: "*** Add File: ",
  delete: "*** Delete File: ",
  update: "*** Update File: ",
  move: "*** Move to: ",
} as const

class Reader {
  readonly #lines: readonly string[]
  readonly #offset: number
  #at = 0

  constructor(lines: readonly string[], offset: number) {
    this.#lines = lines
    this.#offset = offset
  }

  changes(): readonly FileChange[] {
    const changes: FileChange[] = []
    for (;;) {
      const line = this.#lines[this.#at]
      if (line === undefined) throw this.#wrong('the patch does not end with "*** End Patch"')
      if (line.trim() === "*** End Patch") return changes
      if (line.trim() === "") this.#at++
      else changes.push(this.#section(line))
    }
  }

  #section(line: string): FileChange {
    for (const type of ["add", "delete", "update"] as const) {
      if (!line.startsWith(marks[type])) continue
      const path = line.slice(marks[type].length).trim()
      if (path === "") throw this.#wrong("the path is missing")
      this.#at++
      switch (type) {
        case "add":
          return { type, path, content: this.#content() }
        case "delete":
          return { type, path }
        case "update":
          return { type, path, ...this.#update(path) }
      }
    }
    throw this.#wrong(
      `"${line.slice(0, 80)}" does not begin a section; a section begins with "*** Add File: ", "*** Update File: " or "*** Delete File: "`,
    )
  }

  #content(): string {
    const lines: string[] = []
    while (this.#lines[this.#at]?.startsWith("+")) lines.push(this.#lines[this.#at++]!.slice(1))
    return lines.map((line) => `${line}\n`).join("")
  }

  #update(path: string): { hunks: readonly Hunk[]; moveTo?: string } {
    const mark = this.#lines[this.#at]
    const moveTo = mark?.startsWith(marks.move) ? mark.slice(marks.move.length).trim() : undefined
    if (moveTo !== undefined) this.#at++
    const hunks: Hunk[] = []
    while (this.#isInSection()) {
      const hunk = this.#hunk()
      if (hunk) hunks.push(hunk)
    }
    if (hunks.length === 0 && moveTo === undefined)
      throw this.#wrong(`the section of ${path} changes nothing; give lines that begin with " ", "-" or "+"`)
    return { hunks, ...(moveTo !== undefined && { moveTo }) }
  }

  #isInSection(): boolean {
    const line = this.#lines[this.#at]
    return line !== undefined && (!line.startsWith("*** ") || line.trim() === endOfFile)
  }

  #hunk(): Hunk | undefined {
    const headers: string[] = []
    for (let line = this.#lines[this.#at]; line?.startsWith("@@"); line = this.#lines[++this.#at]) {
      const header = line.slice(2).trim().replace(/ ?@@$/, "")
      if (header !== "") headers.push(header)
    }
    const lines: HunkLine[] = []
    for (; this.#isInSection(); this.#at++) {
      const raw = this.#lines[this.#at]!
      if (raw.startsWith("@@")) break
      if (raw.trim() === endOfFile) {
        this.#at++
        return { headers, lines, isEnd: true }
      }
      const line = readHunkLine(raw)
      if (!line)
        throw this.#wrong(
          `"${raw.slice(0, 80)}" does not begin with " ", "-" or "+", as lines of a change do`,
        )
      lines.push(line)
    }
    // An empty line before the next section only separates the two.
    if (!this.#lines[this.#at]?.startsWith("@@"))
      while (lines.length > 0 && this.#lines[this.#at - 1] === "" && lines.at(-1)?.text === "") {
        lines.pop()
        if (this.#lines[this.#at - 2] !== "") break
      }
    return lines.length === 0 ? undefined : { headers, lines, isEnd: false }
  }

  #wrong(why: string): PathRefusal {
    return new PathRefusal(
      `Line ${this.#offset + this.#at} of the patch: ${why}. Nothing was changed; correct the patch.`,
    )
  }
}

const endOfFile = "*** End of File"
