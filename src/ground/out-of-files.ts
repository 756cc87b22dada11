import fs from "node:fs"
import os from "node:os"
import { CadreError } from "./errors.ts"

/**
 * Whether something failed because this process, or the machine, may open no more files. Node hides that behind other
 * words where it loads a module, so what does not say it is tried out.
 */
export function isOutOfFiles(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++)
    if (codes.test(`${(cause as NodeJS.ErrnoException).code} ${cause.message}`)) return true
  try {
    fs.closeSync(fs.openSync(os.devNull, "r"))
    return false
  } catch (failure) {
    return codes.test(String((failure as NodeJS.ErrnoException).code))
  }
}

const codes = /\b(?:EMFILE|ENFILE)\b/

/** What it is, and what a person can do about it. */
export const outOfFiles =
  "this process has too many files open (EMFILE): run less at once, or raise the limit (ulimit -n)"

/** Whatever a run could not open or load for want of files fails in these words, and not in those of Node. */
export function throwTold(error: unknown): never {
  if (error instanceof CadreError || !isOutOfFiles(error)) throw error
  throw new CadreError("STORE_FAILED", `The run cannot go on: ${outOfFiles}. Resume it then.`, {
    cause: error,
  })
}
