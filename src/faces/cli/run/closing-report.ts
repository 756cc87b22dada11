import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Paint } from "../../../ground/diagnostics/paint.ts"
import type { RunResult } from "../../../run/drive/proof.ts"
import type { RunReport } from "../../../run/explain/report.ts"
import { cutToOneLine } from "../terminal/table.ts"
import { getMainArgument } from "./call-text.ts"
import { describeCause } from "./cause-text.ts"
import { type Ending, writeSummary } from "./summary.ts"
import type { WaitingCall } from "./waiting-call.ts"

/** The closing report of a run. `first` stands before the text of the model, `last` after it. */
export interface ClosingReport {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

/**
 * Reports what a run did, in lines of safe text. If a command failed or a call was denied, that comes first,
 * because the model may say otherwise.
 */
export function writeClosingReport(
  result: RunResult,
  questions: readonly WaitingCall[],
  report: RunReport,
  { paint, directory, ...ending }: { readonly paint: Paint; readonly directory: string } & Ending,
): ClosingReport {
  const [headline, ...details] = writeSummary(
    { ...result, proof: { ...result.proof, denied: [] } },
    questions,
    ending,
  )
  const troubles = troubleText(report)
  const work = workLines(report)
  const failed = failedLines(report, directory)
  const next = failed.length > 0 ? `To see failed calls: \`cadre log ${result.run} --failed\`.` : undefined
  const lines = [
    ...work,
    ...details.slice(0, -1),
    ...(next === undefined ? [] : [next]),
    ...details.slice(-1),
  ]
  if (troubles === undefined) return { first: [], last: [headline!, ...failed, ...lines] }
  const [state, ...rest] = splitState(headline!)
  const joint = result.outcome?.type === "completed" ? ", but" : ";"
  return {
    first: [`${paint("warning", `${state}${joint} ${troubles}`)}. ${rest.join("")}`, ...failed],
    last: lines,
  }
}

/** Separates `agent completed` from the numbers behind it. */
function splitState(headline: string): readonly string[] {
  const [, state = headline, rest = ""] = /^(.*?)[.!?…] (\d+ turns?, .*)$/s.exec(headline) ?? []
  return [state, rest]
}

/** `1 command failed and 2 calls were denied`. Undefined: neither. */
function troubleText({ commands, failed }: RunReport): string | undefined {
  const bad = commands.filter(({ exitCode }) => exitCode !== 0).length
  const denied = failed.filter(({ status }) => status === "denied").length
  const parts = [
    ...(bad > 0 ? [`${bad} ${bad === 1 ? "command" : "commands"} failed`] : []),
    ...(denied > 0 ? [`${denied} ${denied === 1 ? "call was" : "calls were"} denied`] : []),
  ]
  return parts.length > 0 ? parts.join(" and ") : undefined
}

/** The most lines for one kind of fact. `cadre log` has them all. */
const mostLines = 8

function failedLines({ commands, failed }: RunReport, directory: string): readonly string[] {
  const exits = commands.filter(({ exitCode }) => exitCode !== 0)
  const failingCalls = new Set(exits.map(({ run, call }) => `${run} ${call}`))
  const calls = failed.filter(({ run, call }) => !failingCalls.has(`${run} ${call}`))
  return bounded([
    ...exits.map(
      ({ command, exitCode, agent }) =>
        `Failed: ${cutToOneLine(command, 160)} (exit ${exitCode}, ${cutToOneLine(agent, 40)})`,
    ),
    ...calls.map((call) => {
      const what =
        `${cutToOneLine(call.tool, 40)} ${cutToOneLine(getMainArgument(call.tool, call.arguments), 100)}`.trimEnd()
      const who = cutToOneLine(call.agent, 40)
      const by = call.status === "denied" && call.by ? `, by ${describeCause(call.by, directory)}` : ""
      // A rule says all that the text for the model says. A hook and a person have reasons of their own.
      const isSaid = by !== "" && call.by?.type !== "hook" && call.by?.type !== "unclear"
      return `${failedWords[call.status]}: ${what} (${who})${by}${isSaid ? "" : `: ${cutToOneLine(call.text, 160)}`}`
    }),
  ]).map(escapeText)
}

const failedWords: Readonly<Record<string, string>> = {
  error: "Failed",
  denied: "Denied",
  invalid: "Invalid",
  unknown: "Outcome unknown",
}

/** The calls by agent, the commands that succeeded, and the files that were written. */
function workLines({ agents, commands, files, changes = [] }: RunReport): readonly string[] {
  const calls = agents.flatMap(({ agent, runs, calls }) => {
    const counts = Object.entries(calls).map(([tool, count]) => `${count} ${cutToOneLine(tool, 40)}`)
    const name = `${cutToOneLine(agent, 40)}${runs > 1 ? ` (${runs} runs)` : ""}`
    return counts.length > 0 ? [`${name}: ${counts.join(", ")}`] : []
  })
  return [
    ...bounded(calls.map((line) => `Calls of ${line}.`)),
    ...bounded(
      commands
        .filter(({ exitCode }) => exitCode === 0)
        .map(
          ({ command, exitCode, times }) =>
            `Command: ${cutToOneLine(command, 160)} (exit ${exitCode}${times > 1 ? `, run ${times} times` : ""})`,
        ),
    ),
    ...bounded(fileLines(files, changes)),
  ].map(escapeText)
}

/** The files that changed, by how many lines, and those that were written and are as before. */
function fileLines(
  written: readonly string[],
  changes: NonNullable<RunReport["changes"]>,
): readonly string[] {
  const countedFiles = new Set(changes.map(({ path }) => path))
  const verbs = { new: "Created", changed: "Changed", deleted: "Deleted", renamed: "Renamed" } as const
  return [
    ...changes.map(({ path, change, from, added, removed }) => {
      const name =
        from === undefined
          ? cutToOneLine(path, 200)
          : `${cutToOneLine(from, 100)} to ${cutToOneLine(path, 100)}`
      return `${verbs[change]}: ${name}${added === undefined ? "" : ` (+${added} -${removed})`}`
    }),
    ...written.filter((file) => !countedFiles.has(file)).map((file) => `Wrote: ${cutToOneLine(file, 200)}`),
  ]
}

const bounded = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `… and ${lines.length - mostLines + 1} more`]
