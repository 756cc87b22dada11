import fs, { type BigIntStats } from "node:fs"
import path from "node:path"
import type { SeenChanges, SeenFile } from "../../../agent/file-change.ts"
import { PathRefusal } from "../../../ground/paths/refusal.ts"
import { hasSameStats, lookAt, makeSeenFile, Room } from "./file-look.ts"
import type { MayRead, WorkspaceView } from "./view.ts"

/** Looks at a workspace without git: at the sizes and times of files, so that their earlier content is not known. */
export async function takePlainView(
  root: string,
  mayRead: MayRead,
  why = "the workspace is in no git repository",
): Promise<WorkspaceView> {
  const before = await listFiles(root)
  return {
    async compare() {
      const after = await listFiles(root)
      const room = new Room()
      const files: SeenFile[] = []
      for (const [file, stats] of after) {
        const old = before.get(file)
        if (old && hasSameStats(old, stats)) continue
        const look = lookAt(file, mayRead, room)
        if (!look || look === "other") continue
        files.push(makeSeenFile(file, old && { without: "unknown" }, look.content))
      }
      for (const file of before.keys())
        if (!after.has(file)) files.push(makeSeenFile(file, { without: "unknown" }, undefined))
      const isWhole = files.every(({ before: old }) => old === undefined)
      return isWhole ? ({ detail: "content", files } satisfies SeenChanges) : { detail: "names", why, files }
    },
    close() {},
  }
}

/** Looking at more files before and after each command would take too long. */
const mostFiles = 10_000

/** Folders of packages and of version control, with many files that are not the user's. */
const passedOver = new Set([".git", ".hg", ".svn", "node_modules"])

async function listFiles(root: string): Promise<ReadonlyMap<string, BigIntStats>> {
  const entries = new Map<string, BigIntStats>()
  const folders = [root]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readFolder(folder)) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!passedOver.has(entry.name)) folders.push(file)
        continue
      }
      const stats = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
      if (stats?.isFile() || stats?.isSymbolicLink()) entries.set(file, stats)
      if (entries.size + folders.length > mostFiles)
        throw new PathRefusal(`the workspace has more than ${mostFiles} files`)
    }
  }
  return entries
}

/** Files in a folder that cannot be read are not seen. */
async function readFolder(folder: string): Promise<readonly fs.Dirent[]> {
  try {
    return await fs.promises.readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (["EACCES", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return []
    throw error
  }
}
