import type { Diagnostic, DiagnosticSeverity } from "../../ground/diagnostics/diagnostic.ts"
import type { Json } from "../../ground/message.ts"
import { readFlag } from "./flag.ts"
import { configurationKeys } from "./keys.ts"
import type { ConfigurationLayer } from "./read-file.ts"

/** Reads the settings that environment variables set. A blank variable sets nothing. */
export function readEnvironment(environment: NodeJS.ProcessEnv): ConfigurationLayer {
  const values = new Map<string, Json>()
  const diagnostics: Diagnostic[] = []
  for (const { key, type, variable, choices } of configurationKeys) {
    const text = variable === undefined ? "" : (environment[variable] ?? "").trim()
    if (text === "") continue
    const value = type === "flag" ? readFlag(text) : text
    // As in Codex, an unknown word for a flag is ignored, and the files decide.
    if (value === undefined)
      diagnostics.push(
        wrongVariable("warning", variable!, text, "1, true, yes or on, or to 0, false, no or off"),
      )
    else if (choices && !choices.includes(text))
      diagnostics.push(
        wrongVariable("error", variable!, text, `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`),
      )
    else values.set(key, value)
  }
  return { values, diagnostics }
}

function wrongVariable(
  severity: DiagnosticSeverity,
  variable: string,
  text: string,
  instead: string,
): Diagnostic {
  const effect = severity === "error" ? "No run starts with this value" : "This value is ignored"
  const place = { line: 1, column: 1 }
  return {
    code: "configuration-environment",
    severity,
    message: `${variable} is ${JSON.stringify(text.slice(0, 40))}. ${effect}. Set it to ${instead}.`,
    range: { start: place, end: place },
  }
}
