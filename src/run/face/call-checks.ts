import type { ModelInput, ModelSource } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import { isRunId } from "../log/id.ts"
import type { Beginning } from "../ports/beginning.ts"

/** The model that a call chose, by name. Model objects and settings are registered under a new name. */
export const readCalledModel = (
  models: ModelSource,
  model: ModelInput | undefined,
): Pick<Beginning, "model"> => {
  if (model === undefined) return {}
  return { model: typeof model === "string" || model === null ? model : models.register(model) }
}

/** Providers refuse an empty message, and it would stay in the history of the run. */
export function requireText(what: string, text: string): void {
  if (text.trim() === "") throw new CadreError("TEXT_EMPTY", `${what} must not be empty.`)
}

export function requireIdOfRun(text: string): void {
  if (!isRunId(text))
    throw new CadreError("RUN_UNKNOWN", `${JSON.stringify(text.slice(0, 100))} is not a run id.`)
}
