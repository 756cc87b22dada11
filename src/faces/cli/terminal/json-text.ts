import { escapeJson } from "../../../ground/diagnostics/escape-text.ts"

/** The JSON form that every command prints. */
export const jsonText = (value: unknown): string => `${escapeJson(JSON.stringify(value, undefined, 2))}\n`
