import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { replaceFile } from "../../../ground/paths/change-file.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { describeNearestText } from "../file-text/edit-hint.ts"
import { isReplaced, replaceInBytes } from "../file-text/edit-text.ts"
import { makeChange, toFileContent } from "../file-text/keep-change.ts"
import { hashBytes, loadFile, refuseFixed, refuseStale } from "../file-text/loaded-file.ts"
import type { ToolWorkspace } from "../workspace.ts"

export interface EditInput {
  readonly path: string
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean
}

/** Replaces a text in a file. */
export async function editFile(
  workspace: ToolWorkspace,
  input: EditInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const place = workspace.use(input.path, "write", context)
  if (input.old_string === input.new_string)
    throw new PathRefusal("old_string and new_string are the same, so there is nothing to change.")
  const file = await loadFile(place, context)
  if (!file) throw new PathRefusal(`${place.path} does not exist. Make a new file with Write.`)
  const replacement = {
    old: input.old_string,
    new: input.new_string,
    places: input.replace_all ? "all" : "one",
  } as const
  const seen = context.seen(file.path)
  if (
    context.repeated &&
    seen !== undefined &&
    seen !== file.hash &&
    isReplaced(file.bytes, replacement, seen)
  )
    return done(
      file.path,
      file.hash,
      "This edit was already made before the process was interrupted; it was not repeated.",
    )
  refuseStale(file, context)
  refuseFixed(file)
  const result = replaceInBytes(file.bytes, replacement)
  if (!("bytes" in result))
    throw new PathRefusal(notOnce(file.path, file.bytes.toString(), input.old_string, result.lines))
  const write = {
    path: file.path,
    before: toFileContent(file.bytes, file),
    after: toFileContent(result.bytes, file),
  }
  await makeChange(context, write, () => replaceFile(file.base, file.path, result.bytes, { expected: file }))
  const { lines } = result
  return done(
    file.path,
    hashBytes(result.bytes),
    lines.length === 1
      ? `Replaced the text at line ${lines[0]} of ${file.path}.`
      : `Replaced the text at ${lines.length} places in ${file.path}, at ${listLines(lines)}.`,
  )
}

const done = (path: string, hash: string, text: string) => ({ text, evidence: { files: [{ path, hash }] } })

function notOnce(path: string, text: string, oldText: string, lines: readonly number[]): string {
  if (lines.length > 0)
    return `old_string occurs ${lines.length} times in ${path}, at ${listLines(lines)}; nothing was changed. Add text around the one you mean, or set replace_all.`
  const nearest = describeNearestText(text, oldText)
  return `old_string was not found in ${path}, so nothing was changed. ${
    nearest ?? "Read the file again and copy the text from it, without line numbers."
  }${nearest === undefined ? "" : "\nCopy it exactly as it is there."}`
}

const listLines = (lines: readonly number[]): string =>
  `lines ${lines.slice(0, 20).join(", ")}${lines.length > 20 ? ` and ${lines.length - 20} more` : ""}`
