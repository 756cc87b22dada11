import { listKnownNames } from "../../ground/errors.ts"
import type { HookFinding } from "./finding.ts"
import type { HookSet } from "./hook-set.ts"

/** The finding for a set with `picked_only` that no definition picks. */
export const reportUnpickedSet = (name: string): HookFinding => ({
  code: "hook-never",
  severity: "warning",
  path: ["picked_only"],
  about: "key",
  message: `This set applies only to agents that pick it with \`lifecycle: ${name}\`, and no agent does. Its hooks never run.`,
})

/** The finding for a file of Gobby's that does not apply by itself. */
export const reportOffSet = (why: string): HookFinding => ({
  code: "hook-off",
  severity: "info",
  path: [],
  message: `These hooks are off: ${why}. A definition can pick this file with \`lifecycle\` and name its steps.`,
})

/** The finding for a definition that picks an unknown set. */
export const reportUnknownSet = (lifecycle: string, sets: readonly HookSet[]): HookFinding => ({
  code: "lifecycle-unknown",
  severity: "error",
  path: [],
  message: `There is no set of hooks named ${JSON.stringify(lifecycle)}, so the agent does not start. ${listKnownNames(
    lifecycle,
    sets.map(({ name }) => name),
  )}`,
})
