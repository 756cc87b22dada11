import type { Agent } from "../../../agent/agent.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { CadreError, StartError, type StartProblem } from "../../../ground/errors.ts"
import type { DryRun } from "../../../run/explain/dry-run.ts"
import type { DryRunOptions } from "../../../run/face/runtime.ts"
import type { ProcessContext } from "../command.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"
import type { ProjectRuns } from "./open.ts"
import type { Driving } from "./options.ts"
import { readContinued } from "./read-continued.ts"
import { readRequest, requireAgent, splitName, type TaskInput } from "./request.ts"
import { requireTrust, requireUnchanged } from "./trust.ts"

/** The arguments and options of `cadre run --dry-run`. */
export interface DryRunRequest {
  readonly input: Omit<TaskInput, "continued">
  readonly continues: string | undefined
  readonly parents: readonly string[]
  readonly options: Omit<DryRunOptions, "continues" | "parents" | "variables"> & { readonly cwd: string }
  readonly variables: (agent: Agent) => NonNullable<DryRunOptions["variables"]>
  readonly driving: Driving
}

/** Everything that a dry run could find out, in spite of problems. */
export interface DryRunFindings {
  readonly agent?: Agent
  readonly parents: readonly Agent[]
  readonly task?: string
  /** The router's reason for this agent. Absent if the user named the agent. */
  readonly reason?: string
  readonly dry?: DryRun
  /** All problems. The run would be refused with the first one. */
  readonly problems: readonly DryRunProblem[]
}

export interface DryRunProblem {
  /** The code of an error, USAGE or UNTRUSTED. Null for a problem that only a calling run would be told. */
  readonly code: NonNullable<StartProblem["code"]> | "USAGE" | "UNTRUSTED" | null
  readonly message: string
  /** The rule of `check`, with the place in the file below, if the problem is in a file. */
  readonly rule?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Prepares a run up to its start and collects all problems, in place of stopping at the first. */
export async function prepareDryRun(
  runs: ProjectRuns,
  { input, continues, parents: names, options, variables, driving }: DryRunRequest,
  context: ProcessContext,
): Promise<DryRunFindings> {
  const {
    workspace: { registry },
    standing,
    runtime,
    store,
  } = runs
  const problems: DryRunProblem[] = []
  const attempt = attempting(problems)
  await attempt(async () => requireValidConfiguration(runs, context.directory))
  const continued =
    continues === undefined
      ? undefined
      : await attempt(() => readContinued(store, continues, { ...context, directory: options.cwd }))
  const request = await attempt(() =>
    readRequest({ ...input, ...(continued && { continued }) }, registry, context),
  )
  const agent = request?.agent ?? agentMeant(input, registry)
  const parents: Agent[] = []
  for (const name of names) {
    const parent = await attempt(async () => requireAgent(name, registry))
    if (parent) parents.push(parent)
  }
  await attempt(async () => requireUnchanged(runs, context.directory, driving.trust))
  if (driving.trust !== "all") {
    for (const one of agent ? [...parents, agent] : parents)
      await attempt(async () => requireTrust(one, registry, standing, context.directory))
  }
  if (!agent) return { parents, problems }
  const { task, reason } = request ?? {}
  const dry = await runtime.dryRun(agent, task ?? untold, {
    ...options,
    variables: variables(agent),
    parents,
    ...(continued && { continues: continued.run }),
  })
  return {
    agent,
    parents,
    ...(task !== undefined && { task }),
    ...(reason !== undefined && { reason }),
    dry,
    problems: [...problems, ...dry.problems.map(problemOf)],
  }
}

const problemOf = ({ code, message, rule, place }: StartProblem): DryRunProblem => ({
  code: code ?? null,
  message,
  ...(place && {
    ...(rule !== undefined && { rule }),
    file: place.file,
    line: place.range.start.line,
    column: place.range.start.column,
  }),
})

/** Stands for a missing task, which is reported as a problem already. */
const untold = "(no task)"

/** The agent that the user named, if only the task is wrong. */
function agentMeant(
  { words }: DryRunRequest["input"],
  registry: ProjectRuns["workspace"]["registry"],
): Agent | undefined {
  const { name } = splitName(words, registry)
  return name === undefined ? undefined : registry.find(name)
}

/** Returns a function that does some work and records its error as a problem. */
function attempting(problems: DryRunProblem[]) {
  return async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof UsageError) problems.push({ code: "USAGE", message: error.message })
      else if (error instanceof UntrustedError) problems.push({ code: "UNTRUSTED", message: error.message })
      else if (error instanceof StartError) problems.push(...error.problems.map(problemOf))
      else if (error instanceof CadreError) problems.push({ code: error.code, message: error.message })
      else throw error
      return undefined
    }
  }
}
