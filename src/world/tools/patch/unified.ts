import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { type FileChange, type Hunk, type HunkLine, readHunkLine } from "./patch.ts"

/** Reads a unified diff, as git and diff write it. The counts of lines are ignored: models get them wrong. */
export function parseUnifiedDiff(lines: readonly string[]): readonly FileChange[] {
  const changes: FileChange[] = []
  let rename: { from?: string; to?: string } = {}
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    if (line.startsWith("rename from ")) rename.from = line.slice("rename from ".length)
    else if (line.startsWith("rename to ")) rename.to = line.slice("rename to ".length)
    else if (line.startsWith("GIT binary patch") || line.startsWith("Binary files "))
      throw new PathRefusal("The patch changes binary files, which is not supported. Nothing was changed.")
    else if (line.startsWith("diff --git ")) {
      changes.push(...pureRename(rename))
      rename = {}
    } else if (isFileHeader(lines, at)) {
      const { hunks, next } = readHunks(lines, at + 2)
      changes.push(changeOf(nameIn(line), nameIn(lines[at + 1]!), hunks))
      rename = {}
      at = next
      continue
    } else if (line.startsWith("@@ "))
      throw new PathRefusal(
        `Line ${at + 1} of the patch: a change without the lines "--- a/path" and "+++ b/path" before it. Nothing was changed; add them.`,
      )
    at++
  }
  return [...changes, ...pureRename(rename)]
}

const isFileHeader = (lines: readonly string[], at: number): boolean =>
  lines[at]!.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ") === true

function pureRename({ from, to }: { from?: string; to?: string }): readonly FileChange[] {
  return from === undefined || to === undefined ? [] : [{ type: "update", path: from, moveTo: to, hunks: [] }]
}

function changeOf(from: string | undefined, to: string | undefined, hunks: readonly Hunk[]): FileChange {
  if (from === undefined && to !== undefined) {
    const addedLines = hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind === "add")
    const end = hunks.at(-1)?.lacksFinalBreak?.new || addedLines.length === 0 ? "" : "\n"
    return { type: "add", path: to, content: addedLines.map(({ text }) => text).join("\n") + end }
  }
  if (from !== undefined && to === undefined) return { type: "delete", path: from }
  if (from === undefined || to === undefined)
    throw new PathRefusal(
      "The patch has a change from /dev/null to /dev/null. Nothing was changed; name the file.",
    )
  return { type: "update", path: from, ...(to !== from && { moveTo: to }), hunks }
}

/** The path without git's `a/` or `b/`, and without the time that diff adds; undefined for no file. */
function nameIn(header: string): string | undefined {
  const name = header.slice(4).split("\t")[0]!.trim()
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "")
}

function readHunks(lines: readonly string[], start: number): { hunks: readonly Hunk[]; next: number } {
  const hunks: Hunk[] = []
  let at = start
  for (;;) {
    const place = /^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@/.exec(lines[at] ?? "")
    if (!place) return { hunks, next: at }
    const body: HunkLine[] = []
    const lacksFinalBreak = { old: false, new: false }
    for (at++; at < lines.length && !isFileHeader(lines, at); at++) {
      const raw = lines[at]!
      if (raw.startsWith("\\")) {
        const kind = body.at(-1)?.kind
        if (kind !== "add") lacksFinalBreak.old = true
        if (kind !== "remove") lacksFinalBreak.new = true
        continue
      }
      const line = readHunkLine(raw)
      if (!line) break
      body.push(line)
    }
    // Empty lines at the end belong to the text around the diff.
    for (let last = at - 1; lines[last] === "" && body.at(-1)?.text === ""; last--) body.pop()
    hunks.push({
      headers: [],
      at: { old: Number(place[1]), new: Number(place[2]) },
      lines: body,
      isEnd: false,
      ...((lacksFinalBreak.old || lacksFinalBreak.new) && { lacksFinalBreak }),
    })
  }
}
