import fs from "node:fs"
import os from "node:os"
import { CadreError } from "./errors.ts"

/**
 * True if something failed because this process, or the machine, can open no more files. Node hides that
 * behind other messages when it loads a module, so this function tries to open a file.
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

/** The problem, and how a person can correct it. */
export const outOfFiles =
  "this process has too many files open (EMFILE): run less at once, or raise the limit (ulimit -n)"

/** Rethrows an error; if the process is out of files, with a message that says so. */
export function rethrowClearly(error: unknown): never {
  if (error instanceof CadreError || !isOutOfFiles(error)) throw error
  throw new CadreError("STORE_FAILED", `The run cannot go on: ${outOfFiles}. Then resume it.`, {
    cause: error,
  })
}
