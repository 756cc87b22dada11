import {
  closeSync,
  fchmodSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { makeRandomUuid } from "../../ground/crypto.ts"
import { describeThrown } from "../../ground/errors.ts"
import { readSourceFile } from "../formats/source.ts"
import type { FixPlan } from "./plan-fixes.ts"

export interface WrittenFixes {
  /** Files that were changed. */
  readonly changed: readonly string[]
  /** By file: the reason why it was not changed. */
  readonly failed: ReadonlyMap<string, string>
}

/** Writes the planned texts. A file that cannot be written, or that was saved in the meantime, stays as it is. */
export function writeFixes({ texts }: Pick<FixPlan, "texts">): WrittenFixes {
  const changed: string[] = []
  const failed = new Map<string, string>()
  for (const [path, { before, after }] of texts) {
    const reading = readSourceFile(path)
    if (reading.type === "refused" || reading.source.text !== before) {
      failed.set(path, "it changed while it was checked; check it again")
      continue
    }
    try {
      replaceFile(path, after)
      changed.push(path)
    } catch (error) {
      failed.set(path, `it cannot be written: ${describeThrown(error)}`)
    }
  }
  return { changed, failed }
}

/** Replaces a file atomically and keeps its mode. The temporary file is always new, so no link is written through. */
function replaceFile(link: string, text: string): void {
  const file = realpathSync(link)
  const temporary = `${file}.${makeRandomUuid()}.tmp`
  const descriptor = openSync(temporary, "wx", 0o600)
  try {
    writeFileSync(descriptor, text)
    fchmodSync(descriptor, statSync(file).mode)
    closeSync(descriptor)
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
