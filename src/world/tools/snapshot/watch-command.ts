import fs from "node:fs"
import type { SeenChanges, SeenFile } from "../../../agent/file-change.ts"
import type { Access, ToolContext } from "../../../agent/tool.ts"
import { isSecretFile } from "../../../ground/paths/protected.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { takeGitView } from "./git-view.ts"
import { takePlainView } from "./plain-view.ts"
import type { MayRead, WorkspaceView } from "./view.ts"

/**
 * Runs a command, and keeps what it changed in the workspace, which is `root` or the run's folder. In a git repository that
 * is the content of files, and elsewhere mostly their names. A command that surely only reads is not watched.
 */
export async function watchCommand<Value>(
  context: Pick<ToolContext, "changes" | "permits" | "cwd">,
  root: string | undefined,
  accesses: (() => Promise<readonly Access[]>) | "unknown",
  work: () => Promise<Value>,
): Promise<Value> {
  const { changes } = context
  if (changes?.commands !== "watched") return work()
  if (accesses !== "unknown" && (await accesses()).every(onlyReads)) {
    const value = await work()
    await changes.tell({ detail: "content", files: [] })
    return value
  }
  const view = await takeView(fs.realpathSync(root ?? context.cwd), mayReadIn(context))
  try {
    return await work()
  } finally {
    await changes.tell(await look(view))
    if (typeof view === "object") view.close()
  }
}

const onlyReads = (access: Access): boolean =>
  access.type === "read" || (access.type === "command" && !access.loose)

const mayReadIn =
  ({ permits }: Pick<ToolContext, "permits">): MayRead =>
  (path) =>
    !path.split("/").some(isSecretFile) && permits({ type: "read", path }, "Read")

/** A view of the workspace, or the reason why there is none. */
async function takeView(root: string, mayRead: MayRead): Promise<WorkspaceView | string> {
  try {
    const view = await takeGitView(root, mayRead).catch((error: unknown) => reasonOf(error))
    return typeof view === "object" ? view : await takePlainView(root, mayRead, view)
  } catch (error) {
    return reasonOf(error)
  }
}

async function look(view: WorkspaceView | string): Promise<SeenChanges> {
  if (typeof view === "string") return { detail: "nothing", why: view, files: [] }
  try {
    return bounded(await view.compare())
  } catch (error) {
    return { detail: "nothing", why: reasonOf(error), files: [] }
  }
}

/** A folder that cannot be read keeps no command from running. Other errors are ours. */
function reasonOf(error: unknown): string {
  if (error instanceof PathRefusal) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (typeof code !== "string") throw error
  return `the files could not be read (${code})`
}

/** The most files that one event lists. */
const mostFiles = 2_000

function bounded(seen: SeenChanges): SeenChanges {
  if (seen.files.length <= mostFiles) return seen
  const files: readonly SeenFile[] = seen.files.slice(0, mostFiles)
  return { ...seen, why: seen.why ?? "it changed too many files", files, more: seen.files.length - mostFiles }
}
