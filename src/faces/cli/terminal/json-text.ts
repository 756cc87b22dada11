import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"

/** The JSON form that every command prints. */
export const writeJsonText = (value: unknown): string =>
  `${escapeJson(JSON.stringify(value, undefined, 2))}\n`
