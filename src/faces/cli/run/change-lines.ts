import fs from "node:fs"
import type { Access } from "../../../agent/tool.ts"
import { findHunks } from "../../../ground/changes/find-hunks.ts"
import { showChanges, showHunks } from "../../../ground/changes/show-changes.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import { isMap } from "../../../ground/message.ts"

/** The most lines of a difference that a question shows. `cadre approve ID --list` shows them all. */
export const shownLines = 40

/** The width at which a question cuts lines. */
export const shownColumns = 400

/** A larger file is not read: the difference then has the edited text alone. */
const largest = 2_000_000

interface EditCall {
  readonly tool: string
  readonly arguments: string
  readonly accesses: readonly Access[]
}

/**
 * The lines that a file tool would change, as a difference in colour. Undefined for other calls, and for arguments that
 * cannot be read.
 */
export async function editLines(
  { tool, arguments: text, accesses }: EditCall,
  options: { readonly paint: Paint; readonly mostLines?: number; readonly columns?: number },
): Promise<readonly string[] | undefined> {
  const input = readInput(text)
  const [file] = accesses.flatMap((access) => (access.type === "write" ? [access.path] : []))
  const textOf = (...names: readonly string[]) =>
    names.map((name) => input[name]).find((value) => typeof value === "string") as string | undefined
  if (tool === "ApplyPatch") {
    const patch = textOf("patch", "input", "diff")
    return patch === undefined ? undefined : patchLines(patch, options)
  }
  if (tool === "Write") {
    const content = textOf("content", "contents", "file_text")
    return content === undefined ? undefined : showChanges(contentOf(file) ?? "", content, options)
  }
  const old = textOf("old_string", "old_str", "oldString")
  const now = textOf("new_string", "new_str", "newString")
  if (tool !== "Edit" || old === undefined || now === undefined) return undefined
  const before = contentOf(file)
  if (before === undefined || !before.includes(old)) return showChanges(old, now, options)
  const all = input.replace_all ?? input.replaceAll
  const after = all === true ? before.replaceAll(old, () => now) : before.replace(old, () => now)
  return showHunks(await findHunks(before, after), options)
}

function patchLines(
  patch: string,
  { paint, mostLines = Number.POSITIVE_INFINITY }: { readonly paint: Paint; readonly mostLines?: number },
): readonly string[] {
  const lines = patch.split("\n").map(escapeText)
  const shown = lines.length <= mostLines ? lines : lines.slice(0, mostLines - 1)
  return [
    ...shown.map((line) => (line[0] === "+" || line[0] === "-" ? paint(marks[line[0]], line) : line)),
    ...(shown.length < lines.length
      ? [paint("faint", `… and ${lines.length - shown.length} more lines`)]
      : []),
  ]
}

const marks = { "+": "added", "-": "removed" } as const

function readInput(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? { ...value } : {}
  } catch {
    // The question then shows the arguments as they were written.
    return {}
  }
}

/** Undefined for a file that is missing, too large or unreadable. */
function contentOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    const stats = fs.statSync(file)
    return stats.isFile() && stats.size <= largest ? fs.readFileSync(file, "utf8") : undefined
  } catch {
    // A new file has no lines to compare with.
    return undefined
  }
}
