import type { Agent } from "../../../agent/agent.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { StartProblem } from "../../../ground/errors.ts"
import { ownFiles } from "../own-files.ts"
import type { Examined } from "./examined.ts"

/** Every file that was looked at, with what became of it. */
export async function examineFiles(
  { registry }: Workspace,
  base: string,
  problemsOf: ProblemsOf,
  mayStart: (agent: Agent) => boolean,
): Promise<readonly Examined[]> {
  const entries = new Map(registry.entries().map((entry) => [entry.candidate.file, entry]))
  const errors = registry.errors()
  const files = ownFiles(registry)
  if (files.length === 0)
    return [
      {
        part: "Definitions",
        what: "agents",
        state: "none",
        level: "note",
        remedy: "`cadre new NAME` writes a first one.",
      },
    ]
  let [starting, meant] = [0, 0]
  const rows = await Promise.all(
    files.map(async (file): Promise<Examined> => {
      const entry = entries.get(file)
      const found = became(file, entry, errors[file.path], base)
      const agent = entry?.state.type === "active" ? entry.candidate.agent : undefined
      const problems = agent ? await problemsOf(agent) : []
      if (agent || found.state === "broken") meant++
      if (agent && problems.length === 0 && mayStart(agent)) starting++
      const kept = startState(problems)
      const { state, level, reason } = kept ?? found
      return {
        part: "Definitions",
        what: shownPath(file.path, base),
        state,
        level,
        ...(reason !== undefined && { reason }),
        ...(level === "broken" && {
          // What keeps it from starting may stand in another file.
          remedy: `\`cadre check${kept ? "" : ` ${shownPath(file.path, base)}`}\` shows where.`,
        }),
      }
    }),
  )
  return meant === 0 ? rows : [...rows, startable(starting, meant)]
}

/** What the row is called that says how many can. */
export const canStart = "agents that can start"

const startable = (starting: number, meant: number): Examined => ({
  part: "Definitions",
  what: canStart,
  state: `${starting} of ${meant}`,
  level: starting === meant ? "fine" : "note",
  ...(starting < meant && { reason: "The other rows say what is in the way of the rest." }),
})

/** What would keep an agent from starting, besides that nobody trusts it. */
export type ProblemsOf = (agent: Agent) => Promise<readonly StartProblem[]>

type Became = Pick<Examined, "state" | "level" | "reason">

/** In the words in which a run of it would be refused. What a setting says is told with that setting. */
function startState(all: readonly StartProblem[]): Became | undefined {
  const problems = all.filter(({ setting }) => setting === undefined)
  if (problems.length === 0) return undefined
  return {
    state: "cannot start",
    level: problems.some(({ kind }) => kind === "written") ? "broken" : "note",
    reason: problems.map(({ message }) => message).join(" "),
  }
}

function became(file: ReadFile, entry: Entry | undefined, error: string | undefined, base: string): Became {
  if (!entry) {
    const reason = error ?? file.problems[0]?.message
    return error === undefined && !file.problems.some(({ severity }) => severity === "error")
      ? { state: "skipped", level: "note", ...(reason !== undefined && { reason }) }
      : { state: "broken", level: "broken", ...(reason !== undefined && { reason }) }
  }
  switch (entry.state.type) {
    case "broken":
      return { state: "broken", level: "broken", reason: error ?? "It has an error." }
    case "shadowed":
      return {
        state: "shadowed",
        level: "note",
        reason: `${shownPath(entry.state.by, base)} is used in its place.`,
      }
    case "active":
      if (!file.repaired) return { state: "loaded", level: "fine" }
      return {
        state: "repaired",
        level: "note",
        reason:
          file.problems.find(({ code }) => code.includes("repaired"))?.message ??
          "It is not valid as it is written.",
      }
  }
}
