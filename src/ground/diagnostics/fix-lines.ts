import { clip } from "./cells.ts"
import type { Diagnostic, TextEdit } from "./diagnostic.ts"
import { escapeText } from "./escape-text.ts"
import type { Paint } from "./paint.ts"
import { createOffsetFinder, type TextPosition } from "./position.ts"

const longest = 8

interface Sheet {
  readonly width: number
  readonly paint: Paint
}

/** `fix: TITLE`, the removed and added text of each edit, and the reason why it is not applied. */
export function fixLines(
  { fix, notFixed }: Pick<Diagnostic, "fix" | "notFixed">,
  source: string | undefined,
  sheet: Sheet,
): readonly string[] {
  if (!fix) return []
  const offset = createOffsetFinder(source ?? "")
  return [
    "",
    `${sheet.paint("strong", "fix:")} ${escapeText(fix.title)}`,
    ...fix.edits.flatMap((edit) => [
      ...diffLines("removed", removedText(edit, source ?? "", offset), sheet),
      ...diffLines("added", edit.text, sheet),
    ]),
    ...(notFixed === undefined ? [] : [`not written by --fix: ${escapeText(notFixed)}`]),
  ]
}

function removedText(
  { range }: TextEdit,
  source: string,
  offset: (position: TextPosition) => number | undefined,
): string {
  const start = offset(range.start)
  const end = offset(range.end)
  return start === undefined || end === undefined ? "" : source.slice(start, end)
}

function diffLines(style: "added" | "removed", text: string, sheet: Sheet): readonly string[] {
  if (text === "") return []
  const sign = style === "added" ? "+" : "-"
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/)
  const rest = lines.length - longest
  return [
    // Tabs are escaped as well: often they are the problem.
    ...lines
      .slice(0, longest)
      .map((line) => sheet.paint(style, clip(`${sign} ${escapeText(line)}`.trimEnd(), sheet.width))),
    ...(rest > 0 ? [sheet.paint("faint", `${sign} … ${rest} more ${rest === 1 ? "line" : "lines"}`)] : []),
  ]
}
