import { CadreError } from "../../ground/errors.ts"
import { readClock } from "../../run/log/clock.ts"
import { createRunKey } from "./own-runs.ts"
import type { ServedBeginning } from "./served-project.ts"
import type { ServedCall } from "./served-tool.ts"

/** Starts a run of a host, and answers before the host gives up. A run that begins late goes on all the same. */
export async function beginRun(
  { project, until }: Pick<ServedCall, "project" | "until">,
  beginning: Omit<ServedBeginning, "dedupe">,
): Promise<string> {
  const begun = project.start({ ...beginning, dedupe: createRunKey(project) })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, Math.max(0, until - readClock()), "late")
  })
  const run = await Promise.race([begun, late]).finally(() => clearTimeout(timer))
  if (run !== "late") return run
  // The answer has been given by then.
  begun.catch(() => {})
  throw new CadreError(
    "RUN_UNKNOWN",
    "The run has not begun yet: its tools or its machine are slow. It begins by itself. Do not start it again. Call status without arguments in a minute to find it.",
  )
}
