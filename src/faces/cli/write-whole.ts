import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { makeRandomUuid } from "../../ground/crypto.ts"

/** Writes the whole file or nothing. With `keep`, an existing file stays, even one created a moment ago. */
export function writeWhole(
  file: string,
  text: string,
  existing: "keep" | "replace",
): "written" | "there already" {
  mkdirSync(path.dirname(file), { recursive: true })
  const temporary = `${file}.${makeRandomUuid()}.tmp`
  try {
    writeFileSync(temporary, text, { flag: "wx", flush: true })
    if (existing === "keep" && !isClaimed(file)) return "there already"
    renameSync(temporary, file)
    return "written"
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Claims the name with an empty file, until the whole file replaces it. */
function isClaimed(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}
