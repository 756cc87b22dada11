import type { SeenChanges, SeenFile } from "../../../agent/file-change.ts"
import type { ToolContext } from "../../../agent/tool.ts"
import { isSecretFile } from "../../../ground/paths/protected.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { takeGitView } from "./git-view.ts"
import { takePlainView } from "./plain-view.ts"
import type { MayRead, WorkspaceView } from "./view.ts"

/**
 * Runs a command, and keeps what it changed in the workspace. In a git repository that is the content of files, and
 * elsewhere mostly their names.
 */
export async function watchCommand<Value>(
  { changes, permits }: Pick<ToolContext, "changes" | "permits">,
  root: string,
  effect: "reads" | "may-write",
  work: () => Promise<Value>,
): Promise<Value> {
  if (changes?.commands !== "watched") return work()
  if (effect === "reads") {
    const value = await work()
    await changes.tell({ found: "content", files: [] })
    return value
  }
  const mayRead: MayRead = (path) =>
    !path.split("/").some(isSecretFile) && permits({ type: "read", path }, "Read")
  const view = await takeView(root, mayRead)
  try {
    return await work()
  } finally {
    await changes.tell(await look(view))
    if (typeof view === "object") view.close()
  }
}

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
  if (typeof view === "string") return { found: "nothing", why: view, files: [] }
  try {
    return bounded(await view.compare())
  } catch (error) {
    return { found: "nothing", why: reasonOf(error), files: [] }
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
