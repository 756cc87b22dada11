import fs from "node:fs"
import path from "node:path"
import type { ToolContext, ToolOutput } from "../../../agent/tool.ts"
import { Glob } from "../../../ground/paths/glob.ts"
import { Refusal } from "../../../ground/paths/refusal.ts"
import { walk } from "../../../ground/paths/walk.ts"
import { shownPath } from "../shown-path.ts"
import { refuseFile, type Workspace } from "../workspace.ts"

export interface GlobInput {
  readonly pattern: string
  readonly path?: string
}

const mostFiles = 500
const timeAllowed = 10_000

/** Finds the files that match. */
export async function findFiles(
  workspace: Workspace,
  input: GlobInput,
  context: ToolContext,
): Promise<ToolOutput> {
  const { folder, rest } = startOf(workspace, input, context)
  const pattern = new Glob(rest)
  const files: string[] = []
  const end: { cut?: string } = {}
  const found = walk(
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
  for await (const { relative, path: file, kind } of found) {
    if (kind === "folder" || !pattern.matches(relative) || !workspace.mayRead(file, context)) continue
    if (files.length === mostFiles) {
      end.cut = `there are more than ${mostFiles} files; use a narrower pattern`
      break
    }
    files.push(shownPath(context.cwd, file))
  }
  const note = end.cut === undefined ? [] : [`[The list is not complete: ${end.cut}.]`]
  return { text: [...(files.length === 0 ? [nothing(input.pattern)] : files), ...note].join("\n") }
}

const nothing = (pattern: string): string =>
  pattern.includes("/") ? "No file matches." : `No file matches. For the folders below as well: **/${pattern}`

/** Goes down the names that a pattern begins with, so that only what may match is looked at. */
function startOf(workspace: Workspace, { pattern, path: given = "." }: GlobInput, context: ToolContext) {
  const folder = workspace.use(given, "read", context)
  refuseFile(folder)
  const names = below(pattern, folder.path).split("/")
  if (names.includes(".."))
    throw new Refusal('The pattern has ".." in it. Give the folder to look in as path instead.')
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
  throw new Refusal(
    `The pattern is for paths below ${folder}, so it does not begin with "/". Leave that out.`,
  )
}
