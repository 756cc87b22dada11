import type { Agent } from "../../../agent/agent.ts"
import { placeOf } from "../../../definitions/formats/format.ts"
import { diagnose } from "../../../definitions/formats/problem.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { entrySpan, valueSpan } from "../../../definitions/rules/entry-place.ts"
import { type Levels, levelOf } from "../../../definitions/rules/levels.ts"
import { at, type CheckedAgent } from "../../../definitions/rules/rule.ts"
import { spellingFix } from "../../../definitions/rules/spelling-fix.ts"
import type { Diagnostic, Fix } from "../../../ground/diagnostics/diagnostic.ts"
import { CadreError, diagnosticOf, type StartProblem } from "../../../ground/errors.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import type { Surroundings } from "../command.ts"
import { openRunsIn } from "../run/open.ts"
import { retiredModels } from "./models.ts"

/** What keeps agents from starting, as runs of them would be refused: only what is written, whoever is trusted. */
export async function startFindings(
  surroundings: Pick<Surroundings, "directory" | "environment" | "now">,
  workspace: Workspace,
  isAsked: (file: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const { runtime, configuration } = openRunsIn(surroundings, workspace, memoryStore(), {
    trust: "all",
    model: "lenient",
    runs: "new",
  })
  const found: Diagnostic[] = []
  for (const { candidate, state } of workspace.registry.entries()) {
    const { agent, file } = candidate
    if (state.type !== "active" || !file || !isAsked(file.path)) continue
    const options = { cwd: surroundings.directory, assume: "present" } as const
    for (const problem of await runtime.startProblems(agent, options))
      found.push(...findingOf(problem, agent, file, workspace.configuration.rules))
    found.push(...(await replacedModel(runtime, agent, file, surroundings.directory, workspace)))
  }
  await runtime.close()
  found.push(...(await retiredModels(surroundings, workspace, configuration, isAsked)))
  return once(found)
}

/** In acai's files the default takes the place of an unknown model: told in the words in which a run of it warns. */
async function replacedModel(
  runtime: Runtime,
  agent: Agent,
  file: ReadFile,
  cwd: string,
  { configuration: { rules } }: Workspace,
): Promise<readonly Diagnostic[]> {
  const level = levelOf("model-unknown", rules)
  if (agent.origin.format !== "acai" || typeof agent.model !== "string" || level === "off") return []
  const shown = await runtime.preview(agent, "x", { cwd }).catch((error) => {
    // What keeps it from starting is told by its start.
    if (error instanceof CadreError) return undefined
    throw error
  })
  const warnings = shown && "warnings" in shown.model ? (shown.model.warnings ?? []) : []
  const problems = warnings
    .filter((warning) => warning.includes(", as acai does. "))
    .map((message) => ({
      code: "model-unknown",
      severity: level ?? ("warning" as const),
      message,
      at: placeOf(file.format, "model", undefined, file.locate),
    }))
  return diagnose(file.path, file.text, file.locate, problems)
}

function findingOf(
  problem: StartProblem,
  agent: Agent,
  file: ReadFile,
  levels: Levels,
): readonly Diagnostic[] {
  const diagnostic = diagnosticOf(problem) ?? withoutPlace(problem)
  const level = levelOf(diagnostic.code, levels)
  if (level === "off") return []
  const fix = fixOf(problem, agent, file)
  // Nobody wrote it here, and whoever does not want its model does without it.
  const isShipped = agent.origin.scope === "built-in" && diagnostic.code === "model-denied"
  const severity = level ?? (isShipped ? "info" : undefined)
  return [{ ...diagnostic, ...(severity && { severity }), ...(fix && { fix }) }]
}

/** What a variable of the environment says stands in no file. */
const withoutPlace = ({ rule = "start-refused", message }: StartProblem): Diagnostic => ({
  code: rule,
  severity: "error",
  message,
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
})

/** The name that must have been meant in place of the one that is written. */
function fixOf(
  { meant, part, path: [index] = [] }: StartProblem,
  agent: Agent,
  file: ReadFile,
): Fix | undefined {
  if (!meant || part === undefined) return undefined
  const checked: CheckedAgent = { agent, format: file.format, source: file }
  const list = part === "skills" ? agent.skills : undefined
  const { fix } = spellingFix(meant.wrong, meant.right, () =>
    list && typeof index === "number"
      ? entrySpan(checked, part, list, index)
      : valueSpan(checked, at(checked, part, index as number | undefined), meant.wrong),
  )
  if (!fix) return undefined
  const problem = { code: "", severity: "error", message: "", at: { type: "start" }, fix } as const
  return diagnose(file.path, file.text, file.locate, [problem])[0]!.fix
}

/** What stands in a setting or in a file of hooks keeps every agent from starting, and is told once. */
const once = (found: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(
    found.map((diagnostic) => {
      const { file, range, message } = diagnostic
      return [`${file}:${range.start.line}:${range.start.column} ${message}`, diagnostic]
    }),
  ).values(),
]
