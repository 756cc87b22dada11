import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { type Folder, openFolder } from "../../../ground/paths/folder.ts"
import { refusalOf } from "../../../ground/paths/refusal.ts"
import { shownPath } from "../shown-path.ts"
import { refuseFile, type Workspace } from "../workspace.ts"

export interface LsInput {
  readonly path?: string
}

const mostEntries = 1000

/** Lists what is in a folder. */
export async function listFolder(
  workspace: Workspace,
  input: LsInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: given = "." } = input
  const place = workspace.use(given, "read", context)
  refuseFile(place)
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
    throw refusalOf(error, folder.path)
  }
}

function lineFor(folder: Folder, name: string): string {
  const stats = fs.lstatSync(folder.at(name), { throwIfNoEntry: false })
  const shown = shownPath(folder.path, path.join(folder.path, name))
  if (stats?.isDirectory()) return `${shown}/`
  if (stats?.isSymbolicLink()) return `${shown}@`
  return stats?.isFile() ? `${shown} (${stats.size} bytes)` : `${shown} (no regular file)`
}
