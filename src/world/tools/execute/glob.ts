import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { Glob } from "../../../ground/paths/glob.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { walk } from "../../../ground/paths/walk.ts"
import { toModelPath } from "../shown-path.ts"
import { requireFolder, type ToolWorkspace } from "../workspace.ts"

export interface GlobInput {
  readonly pattern: string
  readonly path?: string
}

const mostFiles = 500
const timeAllowed = 10_000

/** Finds the files that match a pattern. */
export async function findFiles(
  workspace: ToolWorkspace,
  input: GlobInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { folder, rest } = startOf(workspace, input, context)
  const pattern = new Glob(rest)
  const files: string[] = []
  const end: { cut?: string } = {}
  const entries = walk(
    folder.base,
    folder.path,
    {
      ignore: "git",
      signal: context.signal,
      deadline: performance.now() + timeAllowed,
      enter: ({ relative }) => pattern.advance(pattern.start, `${relative}/`).size > 0,
    },
    end,
  )
  for await (const { relative, path: file, kind } of entries) {
    if (kind === "folder" || !pattern.matches(relative) || !workspace.mayRead(file, context)) continue
    if (files.length === mostFiles) {
      end.cut = `there are more than ${mostFiles} files; use a narrower pattern`
      break
    }
    files.push(toModelPath(context.cwd, file))
  }
  const note = end.cut === undefined ? [] : [`[The list is not complete: ${end.cut}.]`]
  return { text: [...(files.length === 0 ? [noMatch(input.pattern)] : files), ...note].join("\n") }
}

const noMatch = (pattern: string): string =>
  pattern.includes("/") ? "No file matches." : `No file matches. To search subfolders as well: **/${pattern}`

/**
 * Starts in the folder that the plain beginning of a pattern names, so that only files that may match are
 * examined.
 */
function startOf(workspace: ToolWorkspace, { pattern, path: name = "." }: GlobInput, context: ToolContext) {
  const folder = workspace.use(name, "read", context)
  requireFolder(folder)
  const names = below(pattern, folder.path).split("/")
  if (names.includes(".."))
    throw new PathRefusal('The pattern has ".." in it. Give the folder to search as path instead.')
  const literal = names.slice(0, -1).findIndex((name) => /[*?[\]{}()\\@+!]/.test(name))
  const count = literal === -1 ? names.length - 1 : literal
  const start = path.join(folder.path, ...names.slice(0, count))
  if (count === 0 || !fs.lstatSync(start, { throwIfNoEntry: false })?.isDirectory())
    return { folder, rest: names.join("/") }
  return { folder: workspace.use(start, "read", context), rest: names.slice(count).join("/") }
}

function below(pattern: string, folder: string): string {
  if (!pattern.startsWith("/")) return pattern.replace(/^(?:\.\/)+/, "")
  if (pattern.startsWith(`${folder}/`)) return pattern.slice(folder.length + 1)
  throw new PathRefusal(
    `The pattern is for paths below ${folder}, so it must not begin with "/". Leave that out.`,
  )
}
