import fs from "node:fs"
import os from "node:os"

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
