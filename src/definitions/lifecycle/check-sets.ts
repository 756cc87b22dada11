import { knownNames } from "../../ground/errors.ts"
import type { HookFinding } from "./finding.ts"
import type { HookSet } from "./hook-set.ts"

/** A set that holds only where a definition picks it, which none does. */
export const unpickedSet = (name: string): HookFinding => ({
  code: "hook-never",
  severity: "warning",
  path: ["picked_only"],
  about: "key",
  message: `No agent picks this set with \`lifecycle: ${name}\`, and it holds only where one does: none of its hooks is ever asked.`,
})

/** A file of Gobby's that holds nowhere by itself. */
export const offSet = (why: string): HookFinding => ({
  code: "hook-off",
  severity: "info",
  path: [],
  message: `These hooks are off: ${why}. A definition can pick this file with \`lifecycle\`, and name its steps.`,
})

/** A definition that picks a set that is not there. */
export const unknownSet = (lifecycle: string, sets: readonly HookSet[]): HookFinding => ({
  code: "lifecycle-unknown",
  severity: "error",
  path: [],
  message: `There is no set of hooks named ${JSON.stringify(lifecycle)}, so the agent does not start. ${knownNames(
    lifecycle,
    sets.map(({ name }) => name),
  )}`,
})
