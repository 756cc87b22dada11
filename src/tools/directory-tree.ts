import path from "node:path"
import { walk } from "../paths/walk.ts"
import { defineTool, type Tool } from "../tool.ts"
import { aliased, pathAliases } from "./aliased.ts"
import { shownPath } from "./shown-path.ts"
import { worded } from "./worded.ts"
import { refuseFile, type Workspace } from "./workspace.ts"

interface TreeInput {
  readonly path?: string
  readonly depth?: number
}

const prompt =
  "Show a folder and what is below it as a tree. What .gitignore names is left out. For a large one give a smaller depth, or a folder in it."

const defaultDepth = 3
const mostDepth = 20
const mostEntries = 1000
const timeAllowed = 10_000

/** Shows a folder and what is below it. */
export function directoryTreeTool(workspace: Workspace): Tool {
  return defineTool<TreeInput>({
    name: "DirectoryTree",
    description: prompt,
    effect: "read",
    input: aliased<TreeInput>(
      {
        type: "object",
        properties: {
          path: { type: "string", description: "The folder; default: the working directory." },
          depth: { type: "integer", minimum: 1, maximum: mostDepth, description: `Default ${defaultDepth}.` },
        },
        additionalProperties: false,
      },
      { ...pathAliases, max_depth: "depth" },
    ),
    accesses: ({ path: given = "." }, place) => [workspace.access(given, "read", place, "below")],
    execute: worded(async ({ path: given = ".", depth = defaultDepth }, context) => {
      const place = workspace.use(given, "read", context)
      refuseFile(place)
      const lines: string[] = []
      const end: { cut?: string } = {}
      const found = walk(
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
      for await (const entry of found) {
        if (!workspace.mayRead(entry.path, context)) continue
        if (lines.length === mostEntries) {
          end.cut = `there are more than ${mostEntries} entries; give a smaller depth, or a folder in it`
          break
        }
        const name = shownPath(path.dirname(entry.path), entry.path)
        const mark = entry.kind === "folder" ? "/" : entry.kind === "link" ? "@" : ""
        lines.push(`${"  ".repeat(entry.depth - 1)}${name}${mark}`)
      }
      const note = end.cut === undefined ? [] : [`[The tree is not complete: ${end.cut}.]`]
      return { text: [...(lines.length === 0 ? [`${place.path} is empty.`] : lines), ...note].join("\n") }
    }),
  })
}
