import type { StartProblem } from "../../ground/errors.ts"
import { continuing, endedRun } from "../begin/continuing.ts"
import { foreseeing, rehearse } from "../begin/rehearse.ts"
import { attempted } from "../begin/start-problem.ts"
import { placed } from "../begin/start-problems.ts"
import { requireFree } from "../log/dedupe.ts"
import type { RunStart } from "../log/event-run.ts"
import { leftOut, unseenOf, unseenWarning } from "../log/left-out.ts"
import { List } from "../log/list.ts"
import type { Environment } from "../ports/environment.ts"
import type { RunState } from "../state/state.ts"
import { type Explanation, explain } from "./explain.ts"
import type { Supposed } from "./suppose.ts"

/** What would come of starting a run. */
export interface DryRun extends Explanation {
  /** What its log would begin with; what is named after its id goes by another. Absent where it would not start. */
  readonly start?: RunStart
  /** What of its attachments the model would not be shown, and why. */
  readonly unseen: readonly string[]
}

interface Around {
  /** What is wrong already. */
  readonly before: readonly StartProblem[]
  stateOf(run: string): Promise<RunState>
}

/** Explains a run, and begins it in an environment that keeps nothing. No model is asked, and nothing is run. */
export async function dryRun(
  environment: Environment,
  supposed: Supposed,
  { before, stateOf }: Around,
): Promise<DryRun> {
  const { beginning } = supposed
  const { agent, continues, dedupe } = beginning
  const continued = await attempted(async () =>
    continues === undefined ? [] : continuing(environment, await stateOf(continues), agent),
  )
  const held = await attempted(() => requireFree(environment.store, { agent: agent.name, dedupe }))
  const explanation = await explain(environment, supposed)
  const begun = await attempted(async () =>
    rehearse(foreseeing(environment), {
      ...beginning,
      ...(continues !== undefined && { ended: await endedRun(environment.store, continues) }),
      warnings: continued.value ?? [],
    }),
  )
  const problems = [
    ...before,
    ...continued.problems,
    ...held.problems,
    ...supposed.problems,
    // What beginning it meets first, and then all that was looked for by itself.
    ...begun.problems,
    ...explanation.problems,
  ]
  const start = problems.length === 0 ? begun.value?.first : undefined
  return {
    ...explanation,
    problems: placed(environment, agent, problems),
    ...(start && { start }),
    unseen: start ? await unseenAt(foreseeing(environment), start) : [],
  }
}

/** What the first model of a run would not be shown of what its task comes with. */
async function unseenAt(
  { models }: Environment,
  { attachments = [], model }: RunStart,
): Promise<readonly string[]> {
  const [use] = model.uses
  if (attachments.length === 0 || use === undefined) return []
  const opened = await models.open(use)
  const task = { role: "user", text: "", attachments } as const
  const left = leftOut(List.of([task]), opened, () => "kept when it starts")
  return [...left]
    .map(([attachment, why]) => unseenWarning(unseenOf(attachment, why), opened.id, "would be"))
    .toReversed()
}
