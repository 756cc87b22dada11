import type { ProcessResult } from "../../sandbox/process.ts"

/** The text that a model reads about a command: its output and how it ended. */
export function describeCommandResult(result: ProcessResult, timeout: number): string {
  const { head, tail, omitted, exitCode } = result
  const output = omitted === 0 ? head : `${head}\n[${omitted} bytes were left out here]\n${tail}`
  const endings: Readonly<Record<ProcessResult["ending"], string>> = {
    exit: exitCode === 0 ? "" : `Exit code ${exitCode}.`,
    timeout: `Killed: it took longer than ${timeout} ms.`,
    aborted: "Killed: the run is stopping.",
    "output-limit": "Killed: it printed too much. Make it print less, or redirect its output to a file.",
    "process-limit": "Killed: it started too many processes.",
  }
  const notes = [
    endings[result.ending],
    result.unsandboxed === undefined ? "" : `Ran without a sandbox: ${result.unsandboxed}.`,
    ...(result.replaced ?? []).map(
      (place) => `It replaced a protected link, which was restored: the replacement was moved to ${place}.`,
    ),
    ...refusals(result.refusedDefinitions ?? []),
  ].filter(Boolean)
  const note = notes.length > 0 ? `[${notes.join(" ")}]` : ""
  const text = output.replace(/\n$/, "")
  return [text, note].filter(Boolean).join("\n") || "(no output)"
}

function refusals(places: readonly string[]): readonly string[] {
  const lines = places
    .slice(0, 10)
    .map(
      (place) =>
        `It made the definition of an agent, which no command may do: the definition was moved to ${place}.`,
    )
  return places.length > lines.length ? [...lines, `So were ${places.length - lines.length} more.`] : lines
}
