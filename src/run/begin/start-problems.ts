import type { Agent } from "../../agent/agent.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { Grant } from "../ports/granted.ts"
import { hooksOf } from "../rights/hooks.ts"
import { mayBeSent } from "../rights/rights.ts"
import { rightsOf } from "../rights/rule-sets.ts"
import { requireCheckable } from "./checkable.ts"
import { checkToolNames } from "./definition.ts"
import { bindingOf, requireExecutor } from "./executing.ts"
import { modelProblems } from "./explain-model.ts"
import { contextOf } from "./gather-context.ts"
import { settleTools } from "./grant.ts"
import { isolate } from "./isolate.ts"
import { checkKind } from "./kind.ts"
import { placedLacks, requireProgramTools, requireTools } from "./lacks.ts"
import { withWorkflow } from "./named-workflow.ts"
import { assuming, foreseeing, rehearse } from "./rehearse.ts"
import { settleLimits } from "./settle-limits.ts"
import { requireMode } from "./start-mode.ts"
import { attempted, failures, problemsOf, unique } from "./start-problem.ts"
import { settleVariables } from "./variables.ts"

/**
 * Everything that keeps a run from starting, with its places. A refused run, a dry run, `check` and `doctor` all ask this
 * function. Nothing is run, asked or kept.
 */
async function startProblems(
  environment: Environment,
  beginning: Beginning,
): Promise<readonly StartProblem[]> {
  const { problems } = await attempted(() => rehearse(environment, beginning))
  // Beginning it asks everybody that would be asked here, and stops at the first who objects.
  if (problems.length === 0) return []
  return placed(environment, beginning.agent, [
    ...problems,
    ...(await lookForProblems(environment, beginning)),
  ])
}

export interface StartProblemOptions {
  /** Where it would work. Default: the working directory. */
  readonly cwd?: string
  /** `present`: no key, program or repository is missing, so that only what is written is left. */
  readonly assume?: "present"
}

/** Everything that keeps an agent from starting as a root, whoever calls it and whatever its task. */
export async function agentProblems(
  environment: Environment,
  agent: Agent,
  { cwd, assume }: StartProblemOptions,
): Promise<readonly StartProblem[]> {
  const here = assume === "present" ? assuming(environment) : foreseeing(environment)
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

/** The error of a run that could not begin, with all that keeps it from that and where it stands. */
export async function refusal(
  environment: Environment,
  beginning: Beginning,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof CadreError)) return error
  const first = problemsOf(error)
  // What was looked at once is not looked at again: without running git, some of it can only be guessed.
  const isNew = ({ code, part, path }: StartProblem) =>
    !first.some((one) => one.code === code && one.part === part && String(one.path) === String(path))
  const more = (await lookForProblems(foreseeing(environment), beginning)).filter(isNew)
  const problems = placed(environment, beginning.agent, [...first, ...more])
  const hasPlace = problems.some(({ place }) => place)
  return problems.length > first.length || hasPlace ? new StartError(problems, { cause: error }) : error
}

/** What each who may object has to say, in the order in which a run that begins asks them. */
export async function lookForProblems(
  environment: Environment,
  asked: Beginning,
): Promise<readonly StartProblem[]> {
  const followed = await attempted(async () =>
    typeof asked.agent.workflow === "string" ? withWorkflow(environment, asked) : asked,
  )
  const beginning = followed.value ?? asked
  const { agent } = beginning
  const before = [
    ...followed.problems,
    ...failures(() => requireMode(agent)),
    ...failures(() => void settleLimits(environment, beginning)),
  ]
  const settled = await attempted(async () => settleTools(environment, beginning))
  if (!settled.value) return [...before, ...settled.problems]
  const grant = { ...settled.value, lacks: await placedLacks(environment, settled.value.lacks) }
  const place = await settlePlace(environment, beginning)
  return [
    ...before,
    ...failures(() => requireTools(agent, grant, environment)),
    ...(await attempted(() => requireCheckable(environment, beginning, grant))).problems,
    ...failures(() => settleVariables(environment, beginning)),
    ...(await kindProblems(environment, beginning, grant)),
    ...(await executorProblems(environment, beginning, grant)),
    ...(await modelProblems(environment, beginning)),
    ...place.problems,
    ...failures(() => checkToolNames(agent, environment)),
    ...(await attempted(async () => hooksOf(environment, agent))).problems,
  ].filter(isTold)
}

/** Of a program that is not configured, that nobody has it to hand on is no second reason. */
const isTold = ({ code }: StartProblem, _: number, all: readonly StartProblem[]): boolean =>
  code !== "EXECUTOR_DENIED" || !all.some((other) => other.code === "EXECUTOR_UNKNOWN")

const executorProblems = async (
  environment: Environment,
  beginning: Beginning,
  grant: Grant,
): Promise<readonly StartProblem[]> =>
  (
    await attempted(() =>
      requireExecutor(environment, beginning, grant, bindingOf(environment, beginning, grant)),
    )
  ).problems

const kindProblems = async (
  environment: Environment,
  beginning: Beginning,
  grant: Grant,
): Promise<readonly StartProblem[]> =>
  (
    await attempted(async () => {
      const binding = bindingOf(environment, beginning, grant)
      // What is wrong with them has been said: here it is only what is known of them.
      const { value: limits } = await attempted(async () => settleLimits(environment, beginning))
      const { value: variables = {} } = await attempted(async () => settleVariables(environment, beginning))
      const ofKind = await checkKind(environment, beginning.agent, beginning.task, beginning, {
        ...binding,
        ...(limits?.maxSpawns !== undefined && { maxSpawns: limits.maxSpawns }),
        variables,
      })
      await requireProgramTools(environment, beginning, grant, ofKind)
    })
  ).problems

/** Where it would work, what binds it there, and what keeps it from that place. */
export async function settlePlace(
  environment: Environment,
  beginning: Beginning,
): Promise<{ readonly rights: readonly RuleSet[]; readonly problems: readonly StartProblem[] }> {
  const { agent, parent, run } = beginning
  const given = beginning.cwd ?? parent?.start?.cwd ?? process.cwd()
  const grant = settleTools(environment, beginning)
  const isolated = await attempted(() =>
    isolate(environment, {
      run,
      agent,
      cwd: given,
      parent: parent?.start,
      follows: beginning.follows?.start,
    }),
  )
  const { cwd = given, worktree, moved } = isolated.value ?? {}
  const rights = rightsOf(agent, environment, cwd, beginning, grant)
  const context = await attempted(() =>
    contextOf(environment, agent, {
      ...beginning,
      cwd: given,
      ...(worktree && { worksIn: cwd }),
      permits: (file) => mayBeSent(rights, file, moved),
    }),
  )
  return { rights, problems: [...isolated.problems, ...context.problems] }
}

/** Each with its place in the file as it is written, where there is one. */
export const placed = (
  { agents, settingPlace }: Pick<Environment, "agents" | "settingPlace">,
  agent: Agent,
  problems: readonly StartProblem[],
): readonly StartProblem[] =>
  unique(problems).map((problem) => {
    if (problem.place || (problem.kind === "call" && problem.part === undefined)) return problem
    const { setting, part } = problem
    const inSettings = setting === undefined ? undefined : settingPlace?.(problem)
    // A setting that is missing stands nowhere, but the part of the definition that needs it does.
    const isOfDefinition = setting === undefined || part !== undefined
    const place = inSettings ?? (isOfDefinition ? agents.placeOf?.(agent, problem) : undefined)
    return place ? { ...problem, place } : problem
  })
