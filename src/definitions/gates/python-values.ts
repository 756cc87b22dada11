import { findPlainScalars } from "../formats/document/yaml.ts"
import type { Problem } from "../formats/problem.ts"

/**
 * Finds values that Gobby reads differently, because it reads YAML 1.1 with PyYAML: `no` is false there and a text here. A
 * condition may block because of such a value, so the file must be written so that both agree.
 */
export function findPythonValues(text: string): readonly Problem[] {
  if (!candidate.test(text)) return []
  return findPlainScalars(text).flatMap(({ source, span }): readonly Problem[] => {
    const meaning = meaningOf(source)
    if (meaning === undefined) return []
    const message = `Gobby reads \`${source}\` as ${meaning}, but cadre reads YAML 1.2, where it is not. Write the value that you mean, or put it in quotes.`
    return [{ code: "hook-invalid", severity: "error", message, at: { type: "span", span } }]
  })
}

const words = "yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF"
const numbers =
  "[-+]?(?:0\\d+|0o[0-7]+|0b[01_]+|\\d[\\d_]*_[\\d_]*|[\\d.]+[eE]\\d+|\\d+[eE][-+]\\d+|\\d[\\d_]*(?::[0-5]?\\d)+(?:\\.\\d*)?)"

/** Quickly finds files that may have such a value, before the slow search for its place. */
const candidate = new RegExp(`(?:^|[\\s[{,:])(?:${words}|${numbers})\\s*(?:$|[,\\]}#])`, "m")

function meaningOf(source: string): string | undefined {
  if (new RegExp(`^(?:${words})$`).test(source)) return String(/^(?:yes|on)$/i.test(source))
  return new RegExp(`^${numbers}$`).test(source) ? "another number, or as a text" : undefined
}
