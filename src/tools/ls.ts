import fs from "node:fs"
import path from "node:path"
import { type Folder, openFolder } from "../paths/folder.ts"
import { refusalOf } from "../paths/refusal.ts"
import { defineTool, type Tool } from "../tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import { shownPath } from "./shown-path.ts"
import { worded } from "./worded.ts"
import { refuseFile, type Workspace } from "./workspace.ts"

interface LsInput {
  readonly path?: string
}

const prompt =
  'List what is in a folder: a folder with "/" after its name, a file with its size, a link with "@". For what is below as well use DirectoryTree or Glob.'

const mostEntries = 1000

/** Lists what is in a folder. */
export function lsTool(workspace: Workspace): Tool {
  return defineTool<LsInput>({
    name: "LS",
    description: prompt,
    effect: "read",
    input: aliased<LsInput>(
      {
        type: "object",
        properties: { path: { type: "string", description: "The folder; default: the working directory." } },
        additionalProperties: false,
      },
      { ...pathAliases, dir_path: "path", directory: "path" },
    ),
    accesses: ({ path: given = "." }, place) => [workspace.access(given, "read", place)],
    execute: worded(async ({ path: given = "." }, context) => {
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
    }),
  })
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
