import { CadreError } from "../errors.ts"
import type { Message } from "../message.ts"
import type { ModelSource, ModelUse, OfferedTool } from "../model.ts"
import { apply } from "./apply.ts"
import type { Beginning } from "./begin.ts"
import { now } from "./clock.ts"
import { decide } from "./decide.ts"
import type { Environment } from "./environment.ts"
import type { StartModel } from "./event.ts"
import { historyOf } from "./load.ts"
import { opening } from "./prompt.ts"
import { neverAsked, openedBy, rehearse } from "./rehearse.ts"
import { emptyState } from "./state.ts"

/** What the first request of a run would hold. */
export interface Preview {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly OfferedTool[]
  /** Which model would be asked; or why that cannot be told. */
  readonly model: StartModel | { readonly problem: string }
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
  const state = apply(emptyState(first.run, await historyOf(environment.store, first)), first)
  const isClosing = decide(state, { now: now(), heard: 0 }).some(
    (action) => action.type === "call-model" && action.closing,
  )
  const { problem } = settled
  return {
    system: opening(agent, first.task, context).system,
    messages: [...state.messages],
    tools: isClosing ? closing : offered,
    model: problem === undefined ? first.model : { problem },
    warnings: first.warnings ?? [],
  }
}

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
}

/** Models by name only: neither a provider nor a package of one is touched, and a missing key is no reason to show nothing. */
const unopened = (models: ModelSource, settled: Settled): ModelSource => ({
  ...openedBy(models, async (use) => ({ id: nameOf(use), stream: neverAsked })),
  async settle(wanted) {
    try {
      return await models.settle(wanted)
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      settled.problem = error.message
      return { uses: [{ name: "unknown" }], warnings: [] }
    }
  },
})

const nameOf = (use: ModelUse): string => ("name" in use ? use.name : `${use.provider}/${use.model}`)
