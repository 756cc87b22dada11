import type { Agent } from "../../../agent/agent.ts"
import { readIdlePatterns } from "../../../assembly/project/project-servers.ts"
import { placeOfPart } from "../../../definitions/formats/format.ts"
import { diagnose } from "../../../definitions/formats/problem.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { findEntrySpan, findValueSpan } from "../../../definitions/rules/entry-place.ts"
import { applyLevels, getConfiguredLevel, type Levels } from "../../../definitions/rules/levels.ts"
import { type CheckedAgent, locatePart } from "../../../definitions/rules/rule.ts"
import { fixSpelling } from "../../../definitions/rules/spelling-fix.ts"
import type { Diagnostic, DiagnosticFix } from "../../../ground/diagnostics/diagnostic.ts"
import { CadreError, type StartProblem, toDiagnostic } from "../../../ground/errors.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { IdlePattern } from "../../../run/ports/tool-source.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import type { ProcessContext } from "../command.ts"
import { openRunsIn } from "../run/open.ts"
import { findRetiredModels } from "./models.ts"

/** The problems in files that keep agents from starting, with the messages of a refused run. Trust does not matter here. */
export async function findStartFindings(
  surroundings: Pick<ProcessContext, "directory" | "environment" | "now">,
  workspace: Workspace,
  isAsked: (file: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const runs = openRunsIn(surroundings, workspace, memoryStore(), {
    trust: "all",
    model: "lenient",
    runs: "new",
  })
  const { runtime, configuration } = runs
  const idlePatternsOf = readIdlePatterns(runs, surroundings)
  const diagnostics: Diagnostic[] = []
  for (const { candidate, state } of workspace.registry.entries()) {
    const { agent, file } = candidate
    if (state.type !== "active" || !file || !isAsked(file.path)) continue
    const options = { cwd: surroundings.directory, assume: "present" } as const
    const problems = await runtime.startProblems(agent, options)
    diagnostics.push(
      ...problems.flatMap((problem) => findingOf(problem, agent, file, workspace.configuration.rules)),
    )
    // An agent whose tools are all missing does not start, and its own finding says why.
    if (problems.every(({ code }) => code !== "TOOLS_DENIED"))
      diagnostics.push(...idlePatterns(idlePatternsOf(agent), agent, file, workspace.configuration.rules))
    diagnostics.push(...(await replacedModel(runtime, agent, file, surroundings.directory, workspace)))
  }
  await runtime.close()
  diagnostics.push(...(await findRetiredModels(surroundings, workspace, configuration, isAsked)))
  return once(diagnostics)
}

/** The warnings that a run of the agent would have about patterns in its list. */
function idlePatterns(
  patterns: readonly IdlePattern[],
  agent: Agent,
  file: DefinitionFile,
  levels: Levels,
): readonly Diagnostic[] {
  const checked: CheckedAgent = { agent, format: file.format, source: file }
  const problems = patterns.map(({ index, text }) => ({
    code: "tool-mcp-idle",
    severity: "warning" as const,
    message: `Agent "${agent.name}" starts without some of its tools: ${text}`,
    at: locatePart(checked, "tools.allow", index),
  }))
  return diagnose(file.path, file.text, file.locate, applyLevels(problems, levels))
}

/** In acai files the default model replaces an unknown one. The finding has the text of the run's own warning. */
async function replacedModel(
  runtime: Runtime,
  agent: Agent,
  file: DefinitionFile,
  cwd: string,
  { configuration: { rules } }: Workspace,
): Promise<readonly Diagnostic[]> {
  const level = getConfiguredLevel("model-unknown", rules)
  if (agent.origin.format !== "acai" || typeof agent.model !== "string" || level === "off") return []
  const preview = await runtime.preview(agent, "x", { cwd }).catch((error) => {
    // The start problems of this agent are reported already.
    if (error instanceof CadreError) return undefined
    throw error
  })
  const warnings = preview && "warnings" in preview.model ? (preview.model.warnings ?? []) : []
  const problems = warnings
    .filter((warning) => warning.includes(", as acai does. "))
    .map((message) => ({
      code: "model-unknown",
      severity: level ?? ("warning" as const),
      message,
      at: placeOfPart(file.format, "model", undefined, file.locate),
    }))
  return diagnose(file.path, file.text, file.locate, problems)
}

function findingOf(
  problem: StartProblem,
  agent: Agent,
  file: DefinitionFile,
  levels: Levels,
): readonly Diagnostic[] {
  const diagnostic = toDiagnostic(problem) ?? withoutPlace(problem)
  const level = getConfiguredLevel(diagnostic.code, levels)
  if (level === "off") return []
  const fix = fixOf(problem, agent, file)
  // The user did not write this file and may not need the agent, so a denied model is no error.
  const isShipped = agent.origin.scope === "built-in" && diagnostic.code === "model-denied"
  const severity = level ?? (isShipped ? "info" : undefined)
  return [{ ...diagnostic, ...(severity && { severity }), ...(fix && { fix }) }]
}

/** A problem that comes from an environment variable has no place in a file. */
const withoutPlace = ({ rule = "start-refused", message }: StartProblem): Diagnostic => ({
  code: rule,
  severity: "error",
  message,
  range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
})

/** Replaces a misspelled name with the name that was most likely meant. */
function fixOf(
  { meant, part, path: [index] = [] }: StartProblem,
  agent: Agent,
  file: DefinitionFile,
): DiagnosticFix | undefined {
  if (!meant || part === undefined) return undefined
  const checked: CheckedAgent = { agent, format: file.format, source: file }
  const list = part === "skills" ? agent.skills : undefined
  const { fix } = fixSpelling(meant.wrong, meant.right, () =>
    list && typeof index === "number"
      ? findEntrySpan(checked, part, list, index)
      : findValueSpan(checked, locatePart(checked, part, index as number | undefined), meant.wrong),
  )
  if (!fix) return undefined
  const problem = { code: "", severity: "error", message: "", at: { type: "start" }, fix } as const
  return diagnose(file.path, file.text, file.locate, [problem])[0]!.fix
}

/** A problem in a setting or a hook file keeps every agent from starting, but is reported only once. */
const once = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => [
  ...new Map(
    diagnostics.map((diagnostic) => {
      const { file, range, message } = diagnostic
      return [`${file}:${range.start.line}:${range.start.column} ${message}`, diagnostic]
    }),
  ).values(),
]
