import { plainScalars } from "../formats/document/yaml.ts"
import type { Problem } from "../formats/problem.ts"

/**
 * Values in a file of Gobby's that Gobby, which reads YAML 1.1 with PyYAML, takes for something else than we do: `no` is false
 * there and a text here. Which of both a condition finds decides whether it blocks, so the file says it so that both agree.
 */
export function pythonValues(text: string): readonly Problem[] {
  if (!candidate.test(text)) return []
  return plainScalars(text).flatMap(({ source, span }): readonly Problem[] => {
    const meaning = meaningOf(source)
    if (meaning === undefined) return []
    const message = `Gobby reads \`${source}\` as ${meaning}, and YAML 1.2, which is read here, does not. Write what is meant, or put it in quotes.`
    return [{ code: "hook-invalid", severity: "error", message, at: { type: "span", span } }]
  })
}

const words = "yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF"
const numbers =
  "[-+]?(?:0\\d+|0o[0-7]+|0b[01_]+|\\d[\\d_]*_[\\d_]*|[\\d.]+[eE]\\d+|\\d+[eE][-+]\\d+|\\d[\\d_]*(?::[0-5]?\\d)+(?:\\.\\d*)?)"

/** Where one may stand: in front of the end of a line, or of what comes next in a list. Looking further costs more. */
const candidate = new RegExp(`(?:^|[\\s[{,:])(?:${words}|${numbers})\\s*(?:$|[,\\]}#])`, "m")

function meaningOf(source: string): string | undefined {
  if (new RegExp(`^(?:${words})$`).test(source)) return String(/^(?:yes|on)$/i.test(source))
  return new RegExp(`^${numbers}$`).test(source) ? "another number, or as a text" : undefined
}
