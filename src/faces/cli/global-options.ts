import type { Flag } from "./command.ts"

/** Options that are allowed before a command and after it. */
export const commonOptions = {
  help: { type: "flag", short: "h", doc: "Show help" },
  "no-color": { type: "flag", doc: "Print without colours (same as NO_COLOR=1)" },
} as const satisfies Readonly<Record<string, Flag>>

/** Options that are allowed before a command, or without one. */
export const globalOptions = {
  ...commonOptions,
  version: { type: "flag", short: "v", doc: "Print the version" },
} as const satisfies Readonly<Record<string, Flag>>
