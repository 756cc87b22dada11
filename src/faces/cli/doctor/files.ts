import type { Agent } from "../../../agent/agent.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import type { StartProblem } from "../../../ground/errors.ts"
import { listOwnFiles } from "../own-files.ts"
import type { DoctorFinding } from "./finding.ts"

/** One finding per agent file: whether the file was loaded, and whether its agent can start. */
export async function examineFiles(
  { registry }: Workspace,
  base: string,
  problemsOf: FindProblems,
  mayStart: (agent: Agent) => boolean,
): Promise<readonly DoctorFinding[]> {
  const entries = new Map(registry.entries().map((entry) => [entry.candidate.file, entry]))
  const errors = registry.errors()
  const files = listOwnFiles(registry)
  if (files.length === 0)
    return [
      {
        part: "Definitions",
        what: "agents",
        state: "none",
        level: "note",
        remedy: "`cadre new NAME` creates your first agent.",
      },
    ]
  let [starting, total] = [0, 0]
  const rows = await Promise.all(
    files.map(async (file): Promise<DoctorFinding> => {
      const entry = entries.get(file)
      const fileState = stateOfFile(file, entry, errors[file.path], base)
      const agent = entry?.state.type === "active" ? entry.candidate.agent : undefined
      const problems = agent ? await problemsOf(agent) : []
      if (agent || fileState.state === "broken") total++
      if (agent && problems.length === 0 && mayStart(agent)) starting++
      const startProblem = startState(problems)
      const { state, level, reason } = startProblem ?? fileState
      return {
        part: "Definitions",
        what: toDisplayPath(file.path, base),
        state,
        level,
        ...(reason !== undefined && { reason }),
        ...(level === "broken" && {
          // The problem may be in another file.
          remedy: `\`cadre check${startProblem ? "" : ` ${toDisplayPath(file.path, base)}`}\` shows where.`,
        }),
      }
    }),
  )
  return total === 0 ? rows : [...rows, startable(starting, total)]
}

/** The title of the row with the number of agents that can start. */
export const canStartTitle = "agents that can start"

const startable = (starting: number, total: number): DoctorFinding => ({
  part: "Definitions",
  what: canStartTitle,
  state: `${starting} of ${total}`,
  level: starting === total ? "fine" : "note",
  ...(starting < total && { reason: "For each other agent, another row says why it cannot start." }),
})

/** Finds the problems that keep an agent from starting, apart from missing trust. */
export type FindProblems = (agent: Agent) => Promise<readonly StartProblem[]>

type Became = Pick<DoctorFinding, "state" | "level" | "reason">

/** The messages of a refused run. Problems in a setting are left out: they are reported with that setting. */
function startState(all: readonly StartProblem[]): Became | undefined {
  const problems = all.filter(({ setting }) => setting === undefined)
  if (problems.length === 0) return undefined
  return {
    state: "cannot start",
    level: problems.some(({ kind }) => kind === "written") ? "broken" : "note",
    reason: problems.map(({ message }) => message).join(" "),
  }
}

function stateOfFile(
  file: DefinitionFile,
  entry: RegistryEntry | undefined,
  error: string | undefined,
  base: string,
): Became {
  if (!entry) {
    const reason = error ?? file.problems[0]?.message
    return error === undefined && !file.problems.some(({ severity }) => severity === "error")
      ? { state: "skipped", level: "note", ...(reason !== undefined && { reason }) }
      : { state: "broken", level: "broken", ...(reason !== undefined && { reason }) }
  }
  switch (entry.state.type) {
    case "broken":
      return { state: "broken", level: "broken", reason: error ?? "The file has an error." }
    case "shadowed":
      return {
        state: "shadowed",
        level: "note",
        reason: `${toDisplayPath(entry.state.by, base)} defines the same name and takes precedence.`,
      }
    case "active":
      if (!file.repaired) return { state: "loaded", level: "fine" }
      return {
        state: "repaired",
        level: "note",
        reason:
          file.problems.find(({ code }) => code.includes("repaired"))?.message ??
          "The file is invalid as written.",
      }
  }
}
