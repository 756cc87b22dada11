import type { Agent } from "../../../agent/agent.ts"
import { requireSound } from "../../../definitions/authority/followed-configuration.ts"
import { CadreError, StartError, type StartProblem } from "../../../ground/errors.ts"
import type { DryRun } from "../../../run/explain/dry-run.ts"
import type { DryRunOptions } from "../../../run/face/runtime.ts"
import type { Surroundings } from "../command.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"
import { UsageError } from "../usage-error.ts"
import { readContinued } from "./continued.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"
import { agentNamed, type Given, readRequest, splitName } from "./request.ts"
import { requireTrust, requireUnchanged } from "./trust.ts"

/** What `cadre run` was told. */
export interface Wanted {
  readonly given: Omit<Given, "continued">
  readonly continues: string | undefined
  readonly parents: readonly string[]
  readonly options: Omit<DryRunOptions, "continues" | "parents" | "variables"> & { readonly cwd: string }
  readonly variables: (agent: Agent) => NonNullable<DryRunOptions["variables"]>
  readonly driving: Driving
}

/** What could be found out, whatever is wrong. */
export interface Found {
  readonly agent?: Agent
  readonly parents: readonly Agent[]
  readonly task?: string
  /** Why this agent, where the router chose it. */
  readonly reason?: string
  readonly dry?: DryRun
  /** The first is what the run would be refused with. */
  readonly problems: readonly ForeseenProblem[]
}

export interface ForeseenProblem {
  /** Of an error, or USAGE or UNTRUSTED; null where a calling run would be told. */
  readonly code: NonNullable<StartProblem["code"]> | "USAGE" | "UNTRUSTED" | null
  readonly message: string
  /** The rule of `check`, and the place in the file, of what is written there. */
  readonly rule?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Goes the way of a run as far as that goes without starting one, and does not stop at what is wrong. */
export async function foresee(
  runs: Opened,
  { given, continues, parents: names, options, variables, driving }: Wanted,
  context: Surroundings,
): Promise<Found> {
  const {
    workspace: { registry },
    standing,
    runtime,
    store,
  } = runs
  const problems: ForeseenProblem[] = []
  const attempt = attempting(problems)
  await attempt(async () => requireSound(runs, context.directory))
  const continued =
    continues === undefined
      ? undefined
      : await attempt(() => readContinued(store, continues, { ...context, directory: options.cwd }))
  const request = await attempt(() =>
    readRequest({ ...given, ...(continued && { continued }) }, registry, context),
  )
  const agent = request?.agent ?? agentMeant(given, registry)
  const parents: Agent[] = []
  for (const name of names) {
    const parent = await attempt(async () => agentNamed(name, registry))
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

const problemOf = ({ code, message, rule, place }: StartProblem): ForeseenProblem => ({
  code: code ?? null,
  message,
  ...(place && {
    ...(rule !== undefined && { rule }),
    file: place.file,
    line: place.range.start.line,
    column: place.range.start.column,
  }),
})

/** What is wrong with the task is told already. */
const untold = "(no task)"

/** Where only the task is wrong, it is still clear who was meant. */
function agentMeant(
  { words }: Wanted["given"],
  registry: Opened["workspace"]["registry"],
): Agent | undefined {
  const { name } = splitName(words, registry)
  return name === undefined ? undefined : registry.find(name)
}

/** Does something, or notes why it cannot be done. */
function attempting(problems: ForeseenProblem[]) {
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
