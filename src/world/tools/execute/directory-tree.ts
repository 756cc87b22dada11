import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { walk } from "../../../ground/paths/walk.ts"
import { toModelPath } from "../shown-path.ts"
import { requireFolder, type ToolWorkspace } from "../workspace.ts"

export interface TreeInput {
  readonly path?: string
  readonly depth?: number
}

const mostEntries = 1000
const timeAllowed = 10_000

/** Shows everything below a folder. */
export async function drawTree(
  workspace: ToolWorkspace,
  input: TreeInput & { readonly depth: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const { path: name = ".", depth } = input
  const place = workspace.use(name, "read", context)
  requireFolder(place)
  const lines: string[] = []
  const end: { cut?: string } = {}
  const entries = walk(
    place.base,
    place.path,
    {
      ignore: "git",
      signal: context.signal,
      deadline: performance.now() + timeAllowed,
      enter: (folder) => folder.depth < depth && workspace.mayRead(folder.path, context),
    },
    end,
  )
  for await (const entry of entries) {
    if (!workspace.mayRead(entry.path, context)) continue
    if (lines.length === mostEntries) {
      end.cut = `there are more than ${mostEntries} entries; give a smaller depth or a subfolder`
      break
    }
    const name = toModelPath(path.dirname(entry.path), entry.path)
    const mark = entry.kind === "folder" ? "/" : entry.kind === "link" ? "@" : ""
    lines.push(`${"  ".repeat(entry.depth - 1)}${name}${mark}`)
  }
  const note = end.cut === undefined ? [] : [`[The tree is not complete: ${end.cut}.]`]
  return { text: [...(lines.length === 0 ? [`${place.path} is empty.`] : lines), ...note].join("\n") }
}
