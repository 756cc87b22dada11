import path from "node:path"
import { showHunks, writeHunkHeader } from "../../../ground/changes/show-changes.ts"
import { clip } from "../../../ground/diagnostics/cells.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import type { FileDiff } from "../../../run/explain/file-diffs.ts"

/** The difference of a file as `git apply` takes it. Undefined: it cannot be applied, because a part is not known. */
export function patchOf(diff: FileDiff, base: string): string | undefined {
  if (diff.problem !== undefined || !diff.hunks) return undefined
  return partsOf(diff)
    .flatMap((part) => [
      ...headerOf(part, base),
      ...(part.hunks ?? []).flatMap((hunk) => [writeHunkHeader(hunk), ...hunk.lines]),
    ])
    .map((line) => `${line}\n`)
    .join("")
}

/** The same for a person: control characters are escaped, and long lines are cut. */
export function showPatch(
  diff: FileDiff,
  base: string,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): readonly string[] {
  return partsOf(diff).flatMap((part) => [
    ...headerOf(part, base).map((line) => paint("strong", clip(line, columns))),
    ...showHunks(part.hunks ?? [], { paint, columns }),
  ])
}

/** A file that became a link, or the other way round, is one that was deleted and one that was made. */
function partsOf(diff: FileDiff): readonly FileDiff[] {
  const { before, after, path: file, steps } = diff.change
  if (!before || !after || !diff.hunks || (before.mode === "120000") === (after.mode === "120000"))
    return [diff]
  const linesWith = (mark: string) => diff.hunks!.flatMap(({ lines }) => linesMarked(lines, mark))
  const [old, now] = [linesWith("-"), linesWith("+")]
  return [
    { change: { path: file, before, steps }, hunks: wholeHunks(old, "old") },
    { change: { path: file, after, steps }, hunks: wholeHunks(now, "new") },
  ]
}

/** The lines with a mark, each with the note about its newline. Unchanged lines have both marks. */
function linesMarked(lines: readonly string[], mark: string): readonly string[] {
  return lines.flatMap((line, index) => {
    if (line.startsWith("\\")) return []
    if (!line.startsWith(mark) && !line.startsWith(" ")) return []
    const note = lines[index + 1]?.startsWith("\\") ? [lines[index + 1]!] : []
    return [mark + line.slice(1), ...note]
  })
}

function wholeHunks(lines: readonly string[], side: "old" | "new"): FileDiff["hunks"] {
  const count = lines.filter((line) => !line.startsWith("\\")).length
  if (count === 0) return []
  return side === "old"
    ? [{ oldStart: 1, oldLines: count, newStart: 0, newLines: 0, lines }]
    : [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: count, lines }]
}

function headerOf({ change, renamedFrom, hunks = [] }: FileDiff, base: string): readonly string[] {
  const { before, after } = change
  const to = nameIn(base, change.path)
  const from = renamedFrom ? nameIn(base, renamedFrom.path) : to
  const [oldMode, newMode] = [
    renamedFrom ? (renamedFrom.before?.mode ?? plainMode) : before && (before.mode ?? plainMode),
    after && (after.mode ?? plainMode),
  ]
  return [
    `diff --git ${quoteName(`a/${from}`)} ${quoteName(`b/${to}`)}`,
    ...modeLines(oldMode, newMode),
    ...(renamedFrom
      ? ["similarity index 100%", `rename from ${quoteName(from)}`, `rename to ${quoteName(to)}`]
      : []),
    ...(hunks.length === 0
      ? []
      : [
          `--- ${before ? placeOf(`a/${from}`) : "/dev/null"}`,
          `+++ ${after ? placeOf(`b/${to}`) : "/dev/null"}`,
        ]),
  ]
}

const plainMode = "100644"

function modeLines(before: string | undefined, after: string | undefined): readonly string[] {
  if (before === undefined) return [`new file mode ${after}`]
  if (after === undefined) return [`deleted file mode ${before}`]
  return before === after ? [] : [`old mode ${before}`, `new mode ${after}`]
}

export const nameIn = (base: string, file: string): string =>
  path.relative(base, file).split(path.sep).join("/")

/** A name with a space ends with a tab, because the time of a file may follow it. */
const placeOf = (name: string): string => {
  const quoted = quoteName(name)
  return quoted === name && name.includes(" ") ? `${name}\t` : quoted
}

/** Git's own way to write names with quotes or control characters. Characters that a terminal would obey are written out. */
function quoteName(name: string): string {
  if (escapeText(name) === name && !/["\\]/.test(name)) return name
  const text = Array.from(name, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`
    if (escapeText(character) === character) return character
    return Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")
  })
  return `"${text.join("")}"`
}
