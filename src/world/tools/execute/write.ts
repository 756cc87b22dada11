import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { replaceFile } from "../../../ground/paths/change-file.ts"
import { likeBefore } from "../file-text/line-endings.ts"
import { loadFile, refuseFixed, refuseStale, sha256 } from "../file-text/loaded-file.ts"
import type { Workspace } from "../workspace.ts"

export interface WriteInput {
  readonly path: string
  readonly content: string
}

/** Writes a whole file, new or in place of one. */
export async function writeText(
  workspace: Workspace,
  input: WriteInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: given, content } = input
  const place = workspace.use(given, "write", context)
  const file = await loadFile(place, context)
  const bytes = file ? likeBefore(content, file.bytes) : Buffer.from(content)
  const evidence = { files: [{ path: place.path, hash: sha256(bytes) }] }
  if (context.repeated && file?.bytes.equals(bytes))
    return {
      text: `${place.path} had been written already before the process was interrupted: ${bytes.length} bytes.`,
      evidence,
    }
  if (file) {
    refuseStale(file, context)
    refuseFixed(file)
  }
  await replaceFile(place.base, place.path, bytes, { expected: file ?? "absent" })
  return { text: `${file ? "Replaced" : "Made"} ${place.path}: ${bytes.length} bytes.`, evidence }
}
