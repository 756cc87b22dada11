import { describeThrown } from "../../../ground/errors.ts"
import { createScriptFailure, type ScriptFailure } from "../result.ts"

/** The result where the package that runs a kind of script is not installed, or does not load. */
export function createMissingEngineFailure(install: string, what: string, error: unknown): ScriptFailure {
  const isAbsent = (error as { code?: unknown } | null)?.code === "ERR_MODULE_NOT_FOUND"
  const why = isAbsent ? "is not installed" : `does not load (${describeThrown(error).split("\n")[0]})`
  return createScriptFailure(
    "LOAD_ERROR",
    `${what} need a package that ${why}. Install it: npm install ${install}`,
  )
}
