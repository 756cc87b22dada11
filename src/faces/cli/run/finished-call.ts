import { clip } from "../../../ground/diagnostics/cells.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import type { CallRecord } from "../../../run/explain/calls.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { getMainArgument } from "./call-text.ts"

/** A call that has ended, in one line of safe text that fits the width. */
export function describeFinishedCall(
  call: CallRecord,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const { mark, style } = signs[call.status] ?? { mark: "✗", style: "removed" }
  const below = call.run.includes(".") ? call.run.slice(call.run.indexOf(".")) : ""
  const result = describeResult(call)
  const text = `${cutToOneLine(call.agent, 40)}${below} · ${callWords(call.tool, call.arguments)}${result === "" ? "" : ` → ${result}`}`
  // The last column stays empty, because some terminals wrap a full line.
  return `${paint(style, mark)} ${clip(escapeText(text), Math.max(8, columns - 3))}`
}

const signs: Readonly<Record<string, { readonly mark: string; readonly style: "added" | "warning" }>> = {
  ok: { mark: "✓", style: "added" },
  unknown: { mark: "?", style: "warning" },
  open: { mark: "?", style: "warning" },
}

/** The tool and its main argument. */
export const callWords = (tool: string, text: string): string =>
  `${cutToOneLine(tool, 40)} ${cutToOneLine(getMainArgument(tool, text), 100)}`.trimEnd()

/** The result in short: the exit code of a command, the number of lines, or the first line of what went wrong. */
export function describeResult({ status, text, evidence, by }: CallRecord): string {
  const [command] = evidence?.commands ?? []
  // The envelope of a report names the subagent, which the call names already.
  const lines = text.replace(/^<report [^>]*>\n([\s\S]*)\n<\/report>$/, "$1").split("\n")
  const first = cutToOneLine(lines.find((line) => line.trim() !== "") ?? "", 80)
  if (command) return `exit ${command.exitCode}`
  // The note names the cause of a denial.
  if (status === "denied" && by) return "denied"
  if (status !== "ok") return `${status}${first === "" ? "" : `: ${first}`}`
  return lines.length > 1 ? `${lines.length} lines` : first
}
