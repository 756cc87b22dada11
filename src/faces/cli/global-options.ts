import type { Flag } from "./command.ts"

/** Before a command and after it. */
export const everywhere = {
  help: { type: "flag", short: "h", doc: "Show help" },
  "no-color": { type: "flag", doc: "Print without colours (same as NO_COLOR=1)" },
} as const satisfies Readonly<Record<string, Flag>>

/** Before a command only. */
export const globalOptions = {
  ...everywhere,
  version: { type: "flag", short: "v", doc: "Print the version" },
} as const satisfies Readonly<Record<string, Flag>>
