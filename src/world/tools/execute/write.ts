import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { replaceFile } from "../../../ground/paths/change-file.ts"
import { makeChange, toFileContent } from "../file-text/keep-change.ts"
import { keepFileFormat } from "../file-text/line-endings.ts"
import { hashBytes, loadFile, refuseFixed, refuseStale } from "../file-text/loaded-file.ts"
import type { ToolWorkspace } from "../workspace.ts"

export interface WriteInput {
  readonly path: string
  readonly content: string
}

/** Writes a whole file, new or in place of an existing one. */
export async function writeWholeFile(
  workspace: ToolWorkspace,
  input: WriteInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: name, content } = input
  const place = workspace.use(name, "write", context)
  const file = await loadFile(place, context)
  const bytes = file ? keepFileFormat(content, file.bytes) : Buffer.from(content)
  const evidence = { files: [{ path: place.path, hash: hashBytes(bytes) }] }
  if (context.repeated && file?.bytes.equals(bytes))
    return {
      text: `${place.path} was already written before the process was interrupted: ${bytes.length} bytes.`,
      evidence,
    }
  if (file) {
    refuseStale(file, context)
    refuseFixed(file)
  }
  const write = {
    path: place.path,
    ...(file && { before: toFileContent(file.bytes, file) }),
    after: toFileContent(bytes, file),
  }
  await makeChange(context, write, () =>
    replaceFile(place.base, place.path, bytes, { expected: file ?? "absent" }),
  )
  return { text: `${file ? "Replaced" : "Created"} ${place.path}: ${bytes.length} bytes.`, evidence }
}
