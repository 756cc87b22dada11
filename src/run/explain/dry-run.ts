import type { StartProblem } from "../../ground/errors.ts"
import { checkContinuation, readEndedRun } from "../begin/continue-run.ts"
import { foreseeOnly, rehearse } from "../begin/rehearse.ts"
import { attemptStart } from "../begin/start-problem.ts"
import { addProblemPlaces } from "../begin/start-problems.ts"
import { requireFreeKey } from "../log/dedupe.ts"
import type { RunStart } from "../log/event-run.ts"
import { describeUnseen, findHiddenAttachments, toUnseen } from "../log/hidden-attachments.ts"
import { SharedList } from "../log/list.ts"
import type { Environment } from "../ports/environment.ts"
import type { RunState } from "../state/state.ts"
import { type AgentExplanation, explain } from "./explain.ts"
import type { SupposedRun } from "./suppose.ts"

/** The explanation of a run, and how it would start. */
export interface DryRun extends AgentExplanation {
  /** The first event of its log, with another id than the run would get. Absent if it would not start. */
  readonly start?: RunStart
  /** The attachments that the model would not be shown, each with the reason. */
  readonly unseen: readonly string[]
}

interface Around {
  /** Problems that were found before. */
  readonly earlierProblems: readonly StartProblem[]
  stateOf(run: string): Promise<RunState>
}

/** Explains a run, and begins it in an environment that stores nothing. No model is called, and no program is run. */
export async function explainDryRun(
  environment: Environment,
  supposed: SupposedRun,
  { earlierProblems, stateOf }: Around,
): Promise<DryRun> {
  const { beginning } = supposed
  const { agent, continues, dedupe } = beginning
  const continuation = await attemptStart(async () =>
    continues === undefined ? [] : checkContinuation(environment, await stateOf(continues), agent),
  )
  const dedupeAttempt = await attemptStart(() =>
    requireFreeKey(environment.store, { agent: agent.name, dedupe }),
  )
  const explanation = await explain(environment, supposed)
  const rehearsal = await attemptStart(async () =>
    rehearse(foreseeOnly(environment), {
      ...beginning,
      ...(continues !== undefined && { continuedRun: await readEndedRun(environment.store, continues) }),
      warnings: continuation.value ?? [],
    }),
  )
  const problems = [
    ...earlierProblems,
    ...continuation.problems,
    ...dedupeAttempt.problems,
    ...supposed.problems,
    // First the problem that stops the beginning, then those of every check.
    ...rehearsal.problems,
    ...explanation.problems,
  ]
  const start = problems.length === 0 ? rehearsal.value?.first : undefined
  return {
    ...explanation,
    problems: addProblemPlaces(environment, agent, problems),
    ...(start && { start }),
    unseen: start ? await unseenAt(foreseeOnly(environment), start) : [],
  }
}

/** The attachments of the task that the first model of a run would not be shown. */
async function unseenAt(
  { models }: Environment,
  { attachments = [], model }: RunStart,
): Promise<readonly string[]> {
  const [use] = model.uses
  if (attachments.length === 0 || use === undefined) return []
  const openModel = await models.open(use)
  const task = { role: "user", text: "", attachments } as const
  const unseen = findHiddenAttachments(SharedList.of([task]), openModel, () => "kept when it starts")
  return [...unseen]
    .map(([attachment, why]) => describeUnseen(toUnseen(attachment, why), openModel.id, "would be"))
    .toReversed()
}
