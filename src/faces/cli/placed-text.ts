import { AgentFileError } from "../../definitions/formats/agent-file-error.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { toDisplayPath } from "../../ground/diagnostics/display-path.ts"
import { type CadreError, StartError, type StartPlace } from "../../ground/errors.ts"

/** Lists each start problem with its file, line, column and rule, in the form of `cadre check`. */
export function describePlacedProblems(error: CadreError, directory: string | undefined): string | undefined {
  const { diagnostics } = error
  // Errors about settings and hooks have their places in the message already.
  if (!diagnostics || !(error instanceof StartError || error instanceof AgentFileError)) return undefined
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  const begin = error instanceof AgentFileError ? error.begin : ""
  const elsewhere =
    error instanceof StartError
      ? error.problems
          .filter(({ kind, place }) => kind !== "written" || !place)
          .map(({ message, place }) => (place ? `${message} (${shownPlace(place, directory)})` : message))
      : []
  const lines = (errors.length > 0 ? errors : diagnostics).map((diagnostic) => inLine(diagnostic, directory))
  return begin + [...elsewhere, ...lines].join("\n")
}

function inLine({ file, range, severity, code, message }: Diagnostic, directory: string | undefined): string {
  const place = file === undefined ? "" : `${shownPlace({ file, range }, directory)} `
  return `${place}${severity} ${code}: ${message}`
}

const shownPlace = ({ file, range: { start } }: StartPlace, directory: string | undefined): string =>
  `${toDisplayPath(file, directory)}:${start.line}:${start.column}`
