import path from "node:path"
import { type Folder, openFolder } from "../../ground/paths/folder.ts"
import { type OpenFile, openFileIn } from "../../ground/paths/open-file.ts"

/** Opens files one after the other, and keeps the folder of the last one open for the next. */
export interface FolderReader {
  /** As `openFile` does. The caller must close the file. */
  open(target: string): OpenFile
  close(): void
}

/** Opening every folder above each file again takes longer than reading a small file. */
export function openFolderReader(base: string): FolderReader {
  let folder: Folder | undefined
  const close = (): void => {
    folder?.close()
    folder = undefined
  }
  return {
    open(target) {
      if (!folder || !isStill(folder, path.dirname(target))) {
        close()
        folder = openFolder(base, path.dirname(target), "refuse")
      }
      return openFileIn(folder, target)
    },
    close,
  }
}

/** A folder that was moved or exchanged since is opened anew, so that its links are seen. */
function isStill(folder: Folder, target: string): boolean {
  if (folder.path !== target) return false
  try {
    folder.verify()
    return true
  } catch {
    return false
  }
}
