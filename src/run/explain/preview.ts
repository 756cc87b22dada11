import type { Agent } from "../../agent/agent.ts"
import type { ModelSource, ModelUse, OfferedTool } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import { historyOf } from "../begin/load.ts"
import { neverAsked, openedBy, rehearse } from "../begin/rehearse.ts"
import { apply } from "../decide/apply.ts"
import { endMoment } from "../decide/apply-moments.ts"
import { decide } from "../decide/decide.ts"
import { hookedRun } from "../effects/gathered.ts"
import { now } from "../log/clock.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { HookActions } from "../ports/hooked.ts"
import { hooksOf, isWorkflowHook } from "../rights/hooks.ts"
import { emptyState, type RunState } from "../state/state.ts"
import { opening } from "../words/prompt.ts"

/** What the first request of a run would hold. */
export interface Preview {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  /** Which model would be asked; or why that cannot be told. */
  readonly model: StartModel | { readonly problem: string }
  /** Where that was said which the choice of the model leaves open. */
  readonly modelSaidAt?: readonly string[]
  /** What the run would have to do without. */
  readonly warnings: readonly string[]
}

/** Begins a run in an environment that keeps nothing and opens no model, and reads off its first request. */
export async function preview(environment: Environment, beginning: Beginning): Promise<Preview> {
  const settled: Settled = {}
  const { first, definition } = await rehearse(
    { ...environment, models: unopened(environment.models, settled) },
    inPlace({ ...beginning, cache: "skip" }),
  )
  const { agent, context, offered, closing } = definition
  const begun = apply(emptyState(first.run, await historyOf(environment.store, first)), first)
  const { state, warnings } = await inFirstStep(environment, agent, begun)
  const isClosing = decide(state, { now: now(), heard: 0 }).some(
    (action) => action.type === "call-model" && action.closing,
  )
  const { problem, saidAt } = settled
  return {
    system: opening(agent, first.task, context).system,
    messages: [...state.messages, ...state.inbox.map(({ text }): Message => ({ role: "user", text }))],
    tools: isClosing ? closing : offered,
    model: problem === undefined ? first.model : { problem },
    ...(saidAt && { modelSaidAt: saidAt }),
    warnings: [...(first.warnings ?? []), ...warnings],
  }
}

/** A run is told the first step of its workflow as it starts. Other hooks are not asked: what they do is not known. */
async function inFirstStep(
  environment: Environment,
  agent: Agent,
  begun: RunState,
): Promise<{ readonly state: RunState; readonly warnings: readonly string[] }> {
  const { run_start = [], before_model = [] } = begun.moments?.hooks ?? {}
  const others = [...new Set([...run_start, ...before_model])].filter((name) => !isWorkflowHook(name))
  const warnings =
    others.length > 0 ? [`Hooks are asked before it, and may tell the model more: ${others.join(", ")}.`] : []
  const hooks = run_start.some(isWorkflowHook) ? await hooksOf(environment, agent) : []
  const start = hooks.find(({ name, binds }) => binds && isWorkflowHook(name))?.at?.run_start
  if (!start) return { state: begun, warnings }
  const moment = { ...hookedRun({ state: begun, environment }, {}), moment: "run_start" as const }
  const verdict = await start(moment, new AbortController().signal, inert(warnings))
  const { step, context, problems = [] } = verdict ?? {}
  const event = {
    type: "moment-end",
    moment: "run_start",
    id: "run_start",
    at: 0,
    ...(step && { step }),
    ...(context && { context }),
  } as const
  return { state: endMoment(begun, event), warnings: [...warnings, ...problems] }
}

/** Nothing happens before a run has begun: it is as if commands had nothing against it, and nothing to say. */
const inert = (warnings: string[]): HookActions => ({
  async command(line) {
    warnings.push(`The command ${JSON.stringify(line)} is run as it starts, and may tell the model more.`)
    return { exitCode: 0, text: "" }
  },
  async skill(name) {
    return { problem: `The skill ${JSON.stringify(name)} is loaded as it starts, and is not shown.` }
  },
})

/** To find out where a worktree would be takes running git. */
const inPlace = ({ agent, ...rest }: Beginning): Beginning => ({
  ...rest,
  agent: { ...agent, isolation: "none" },
  ...(agent.isolation === "worktree" && {
    warnings: ["It works in a git worktree of its own, and is told where that is."],
  }),
})

interface Settled {
  problem?: string
  saidAt?: readonly string[]
}

/** Models by name only: neither a provider nor a package of one is touched, and a missing key is no reason to show nothing. */
const unopened = (models: ModelSource, settled: Settled): ModelSource => ({
  ...openedBy(models, async (use) => ({ id: nameOf(use), stream: neverAsked })),
  async settle(wanted) {
    try {
      const found = await models.settle(wanted)
      if (found.saidAt) settled.saidAt = found.saidAt
      return found
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      settled.problem = error.message
      return { uses: [{ name: "unknown" }], warnings: [] }
    }
  },
})

const nameOf = (use: ModelUse): string => ("name" in use ? use.name : `${use.provider}/${use.model}`)
