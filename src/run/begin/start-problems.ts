import type { Agent } from "../../agent/agent.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { GrantedTools } from "../ports/granted-tools.ts"
import { listAgentHooks } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { collectRights } from "../rights/rule-sets.ts"
import { checkToolNames } from "./definition.ts"
import { gatherRunBounds, requireExecutor } from "./executor-start.ts"
import { findModelProblems } from "./explain-model.ts"
import { gatherContext } from "./gather-context.ts"
import { settleTools } from "./grant.ts"
import { isolate } from "./isolate.ts"
import { checkKind } from "./kind.ts"
import { addLackPlaces, requireAcceptedTools, requireProgramTools, requireTools } from "./lacks.ts"
import { withWorkflow } from "./named-workflow.ts"
import { assumePresent, foreseeOnly, rehearse } from "./rehearse.ts"
import { requireCheckable } from "./require-checkable.ts"
import { settleLimits } from "./settle-limits.ts"
import { requireHeadlessMode } from "./start-mode.ts"
import { attemptStart, collectProblems, dropRepeatedProblems, readProblems } from "./start-problem.ts"
import { settleVariables } from "./variables.ts"

/**
 * All problems that keep a run from starting, each with its place. It runs no program, calls no model and stores
 * nothing.
 */
async function startProblems(
  environment: Environment,
  beginning: Beginning,
): Promise<readonly StartProblem[]> {
  const { problems } = await attemptStart(() => rehearse(environment, beginning))
  // The rehearsal makes every check and stops at the first problem. Without one, there is nothing to look for.
  if (problems.length === 0) return []
  return addProblemPlaces(environment, beginning.agent, [
    ...problems,
    ...(await lookForProblems(environment, beginning)),
  ])
}

/** The conditions under which the problems of an agent are looked for. */
export interface StartProblemOptions {
  /** The folder that the agent would work in. Default: the working directory. */
  readonly cwd?: string
  /** `present`: assumes that no key, program or repository is missing, and only finds problems of the definition. */
  readonly assume?: "present"
}

/** All problems that keep an agent from starting as a root, for every caller and every task. */
export async function findAgentProblems(
  environment: Environment,
  agent: Agent,
  { cwd, assume }: StartProblemOptions,
): Promise<readonly StartProblem[]> {
  const here = assume === "present" ? assumePresent(environment) : foreseeOnly(environment)
  const beginning: Beginning = {
    run: "ID",
    agent,
    task: "(no task)",
    cache: "skip",
    ...(cwd !== undefined && { cwd }),
  }
  const problems = await startProblems(here, beginning)
  return problems.filter(({ kind }) => kind !== "call" && (assume === undefined || kind === "written"))
}

/** The error of a run that could not begin, with all its problems and their places. */
export async function refuseStart(
  environment: Environment,
  beginning: Beginning,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CadreError)) return error
  const first = readProblems(error)
  // The first problems stay as they are: this second look does not run git, so it may only guess.
  const isNew = ({ code, part, path }: StartProblem) =>
    !first.some((one) => one.code === code && one.part === part && String(one.path) === String(path))
  const more = (await lookForProblems(foreseeOnly(environment), beginning)).filter(isNew)
  const problems = addProblemPlaces(environment, beginning.agent, [...first, ...more])
  const hasPlace = problems.some(({ place }) => place)
  return problems.length > first.length || hasPlace ? new StartError(problems, { cause: error }) : error
}

/** The problems of every check, in the order in which `begin` makes the checks. */
export async function lookForProblems(
  environment: Environment,
  request: Beginning,
): Promise<readonly StartProblem[]> {
  const workflowAttempt = await attemptStart(async () =>
    typeof request.agent.workflow === "string" ? withWorkflow(environment, request) : request,
  )
  const beginning = workflowAttempt.value ?? request
  const { agent } = beginning
  const earlyProblems = [
    ...workflowAttempt.problems,
    ...collectProblems(() => requireHeadlessMode(agent)),
    ...collectProblems(() => void settleLimits(environment, beginning)),
  ]
  const toolsAttempt = await attemptStart(async () => settleTools(environment, beginning))
  if (!toolsAttempt.value) return [...earlyProblems, ...toolsAttempt.problems]
  const grant = { ...toolsAttempt.value, lacks: await addLackPlaces(environment, toolsAttempt.value.lacks) }
  const place = await settleRightsInPlace(environment, beginning)
  return [
    ...earlyProblems,
    ...collectProblems(() => requireAcceptedTools(agent, grant, environment)),
    ...collectProblems(() => requireTools(agent, grant, environment)),
    ...(await attemptStart(() => requireCheckable(environment, beginning, grant))).problems,
    ...collectProblems(() => settleVariables(environment, beginning)),
    ...(await kindProblems(environment, beginning, grant)),
    ...(await executorProblems(environment, beginning, grant)),
    ...(await findModelProblems(environment, beginning)),
    ...place.problems,
    ...collectProblems(() => checkToolNames(agent, environment)),
    ...(await attemptStart(async () => listAgentHooks(environment, agent))).problems,
  ].filter(isTold)
}

/** An executor that is not configured cannot be delegated either: only the first problem is told. */
const isTold = ({ code }: StartProblem, _: number, all: readonly StartProblem[]): boolean =>
  code !== "EXECUTOR_DENIED" || !all.some((other) => other.code === "EXECUTOR_UNKNOWN")

const executorProblems = async (
  environment: Environment,
  beginning: Beginning,
  grant: GrantedTools,
): Promise<readonly StartProblem[]> =>
  (
    await attemptStart(() =>
      requireExecutor(environment, beginning, grant, gatherRunBounds(environment, beginning, grant)),
    )
  ).problems

const kindProblems = async (
  environment: Environment,
  beginning: Beginning,
  grant: GrantedTools,
): Promise<readonly StartProblem[]> =>
  (
    await attemptStart(async () => {
      const binding = gatherRunBounds(environment, beginning, grant)
      // Problems with limits and variables are already in the list. Here only their values are needed.
      const { value: limits } = await attemptStart(async () => settleLimits(environment, beginning))
      const { value: variables = {} } = await attemptStart(async () =>
        settleVariables(environment, beginning),
      )
      const ofKind = await checkKind(environment, beginning.agent, beginning.task, beginning, {
        ...binding,
        ...(limits?.maxSpawns !== undefined && { maxSpawns: limits.maxSpawns }),
        variables,
      })
      await requireProgramTools(environment, beginning, grant, ofKind)
    })
  ).problems

/** The rights of a run in the folder where it would work, and the problems with that folder. */
export async function settleRightsInPlace(
  environment: Environment,
  beginning: Beginning,
): Promise<{ readonly rights: readonly RuleSet[]; readonly problems: readonly StartProblem[] }> {
  const { agent, parent, run } = beginning
  const baseFolder = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const grant = settleTools(environment, beginning)
  const isolated = await attemptStart(() =>
    isolate(environment, {
      run,
      agent,
      cwd: baseFolder,
      parent: parent?.start,
      follows: beginning.follows?.start,
    }),
  )
  const { cwd = baseFolder, worktree, moved } = isolated.value ?? {}
  const rights = collectRights(agent, environment, cwd, beginning, grant)
  const context = await attemptStart(() =>
    gatherContext(environment, agent, {
      ...beginning,
      cwd: baseFolder,
      ...(worktree && { worksIn: cwd }),
      permits: (file) => mayBeSent(rights, file, moved),
    }),
  )
  return { rights, problems: [...isolated.problems, ...context.problems] }
}

/** Adds to each problem its place in a file, where it has one. */
export const addProblemPlaces = (
  { agents, settingPlace }: Pick<Environment, "agents" | "settingPlace">,
  agent: Agent,
  problems: readonly StartProblem[],
): readonly StartProblem[] =>
  dropRepeatedProblems(problems).map((problem) => {
    if (problem.place || (problem.kind === "call" && problem.part === undefined)) return problem
    const { setting, part } = problem
    const inSettings = setting === undefined ? undefined : settingPlace?.(problem)
    // A missing setting has no place, but the part of the definition that needs the setting has one.
    const isOfDefinition = setting === undefined || part !== undefined
    const place = inSettings ?? (isOfDefinition ? agents.placeOf?.(agent, problem) : undefined)
    return place ? { ...problem, place } : problem
  })
