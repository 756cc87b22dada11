import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"

/** JSON as every command prints it. */
export const jsonText = (value: unknown): string => `${escapeJson(JSON.stringify(value, undefined, 2))}\n`
