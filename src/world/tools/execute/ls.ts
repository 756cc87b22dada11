import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { type Folder, openFolder } from "../../../ground/paths/folder.ts"
import { toPathRefusal } from "../../../ground/paths/refusal.ts"
import { toModelPath } from "../shown-path.ts"
import { requireFolder, type ToolWorkspace } from "../workspace.ts"

export interface LsInput {
  readonly path?: string
}

const mostEntries = 1000

/** Lists the entries of a folder. */
export async function listFolder(
  workspace: ToolWorkspace,
  input: LsInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: name = "." } = input
  const place = workspace.use(name, "read", context)
  requireFolder(place)
  const folder = openFolder(place.base, place.path, "refuse")
  try {
    const names = (await readNames(folder)).filter((name) =>
      workspace.mayRead(path.join(place.path, name), context),
    )
    const lines = names.slice(0, mostEntries).map((name) => lineFor(folder, name))
    if (names.length > mostEntries)
      lines.push(`[${names.length - mostEntries} more are not shown. Use Glob with a pattern.]`)
    return { text: lines.length === 0 ? `${place.path} is empty.` : lines.join("\n") }
  } finally {
    folder.close()
  }
}

async function readNames(folder: Folder): Promise<readonly string[]> {
  try {
    return (await fs.promises.readdir(folder.at("."))).sort()
  } catch (error) {
    throw toPathRefusal(error, folder.path)
  }
}

function lineFor(folder: Folder, name: string): string {
  const stats = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
  const label = toModelPath(folder.path, path.join(folder.path, name))
  if (stats?.isDirectory()) return `${label}/`
  if (stats?.isSymbolicLink()) return `${label}@`
  return stats?.isFile() ? `${label} (${stats.size} bytes)` : `${label} (not a regular file)`
}
