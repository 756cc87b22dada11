import type { Agent } from "../../agent/agent.ts"
import type { ModelSource, ModelUse, OfferedTool } from "../../agent/model.ts"
import { CadreError } from "../../ground/errors.ts"
import type { Message } from "../../ground/message.ts"
import { readHistory } from "../begin/load.ts"
import { refuseToStream, rehearse, withOpener } from "../begin/rehearse.ts"
import { applyRunEvent } from "../decide/apply.ts"
import { endMoment } from "../decide/apply-moments.ts"
import { decide } from "../decide/decide.ts"
import { describeRunForHooks } from "../effects/hook-effects.ts"
import { readClock } from "../log/clock.ts"
import type { StartModel } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { HookActions } from "../ports/hooked.ts"
import { isWorkflowHook, listAgentHooks } from "../rights/hooks.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { buildOpening } from "../words/prompt.ts"

/** The first request that a run would send to its model. */
export interface RunPreview {
  /** The system prompt. */
  readonly system: string
  /** The history at the first turn: the task, and an earlier history that the run would continue. */
  readonly messages: readonly Message[]
  /** The tools that the model would be offered. */
  readonly tools: readonly OfferedTool[]
  /** The model that would be called, or the problem with it. */
  readonly model: StartModel | { readonly problem: string }
  /** The places, such as another host's settings, that fill in what the choice of the model leaves open. */
  readonly modelSaidAt?: readonly string[]
  /** Remarks about parts that the run would not have, or that are not shown here. */
  readonly warnings: readonly string[]
}

/** Begins a run in an environment that stores nothing and opens no model, and returns its first request. */
export async function preview(environment: Environment, beginning: Beginning): Promise<RunPreview> {
  const findings: ModelFindings = {}
  const { first, definition } = await rehearse(
    { ...environment, models: unopened(environment.models, findings) },
    inPlace({ ...beginning, cache: "skip" }),
  )
  const { agent, context, offered, closing } = definition
  const startState = applyRunEvent(
    emptyRunState(first.run, await readHistory(environment.store, first)),
    first,
  )
  const { state, warnings } = await inFirstStep(environment, agent, startState)
  const isClosing = decide(state, { now: readClock(), lastSign: 0 }).some(
    (action) => action.type === "call-model" && action.closing,
  )
  const { problem, saidAt } = findings
  return {
    system: buildOpening(agent, first.task, context).system,
    messages: [...state.messages, ...state.inbox.map(({ text }): Message => ({ role: "user", text }))],
    tools: isClosing ? closing : offered,
    model: problem === undefined ? first.model : { problem },
    ...(saidAt && { modelSaidAt: saidAt }),
    warnings: [...(first.warnings ?? []), ...warnings],
  }
}

/** A run is told the first step of its workflow when it starts. A warning names the other hooks, which are not asked. */
async function inFirstStep(
  environment: Environment,
  agent: Agent,
  startState: RunState,
): Promise<{ readonly state: RunState; readonly warnings: readonly string[] }> {
  const { run_start = [], before_model = [] } = startState.moments?.hooks ?? {}
  const otherHooks = [...new Set([...run_start, ...before_model])].filter((name) => !isWorkflowHook(name))
  const warnings =
    otherHooks.length > 0
      ? [`These hooks run before the first request and may add to it: ${otherHooks.join(", ")}.`]
      : []
  const hooks = run_start.some(isWorkflowHook) ? await listAgentHooks(environment, agent) : []
  const start = hooks.find(({ name, binds }) => binds && isWorkflowHook(name))?.at?.run_start
  if (!start) return { state: startState, warnings }
  const moment = {
    ...describeRunForHooks({ state: startState, environment }, {}),
    moment: "run_start" as const,
  }
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
  return { state: endMoment(startState, event), warnings: [...warnings, ...problems] }
}

/** Actions of hooks without an effect: a command counts as successful and silent, and a skill is not loaded. */
const inert = (warnings: string[]): HookActions => ({
  async command(line) {
    warnings.push(
      `The command ${JSON.stringify(line)} runs when the run starts and may add to the first request.`,
    )
    return { exitCode: 0, text: "" }
  },
  async skill(name) {
    return {
      problem: `The skill ${JSON.stringify(name)} is loaded when the run starts and is not shown here.`,
    }
  },
})

/** The place of a worktree is not shown, because finding it out takes git. */
const inPlace = ({ agent, ...rest }: Beginning): Beginning => ({
  ...rest,
  agent: { ...agent, isolation: "none" },
  ...(agent.isolation === "worktree" && {
    warnings: [
      "The run works in its own git worktree, and its first message says where. That is not shown here.",
    ],
  }),
})

interface ModelFindings {
  problem?: string
  saidAt?: readonly string[]
}

/** Models by name only: no provider and no package is touched. A missing key becomes `problem`, so the rest can be shown. */
const unopened = (models: ModelSource, findings: ModelFindings): ModelSource => ({
  ...withOpener(models, async (use) => ({ id: nameOf(use), stream: refuseToStream })),
  async resolve(request) {
    try {
      const resolution = await models.resolve(request)
      if (resolution.settingPlaces) findings.saidAt = resolution.settingPlaces
      return resolution
    } catch (error) {
      if (!(error instanceof CadreError)) throw error
      findings.problem = error.message
      return { uses: [{ name: "unknown" }], warnings: [] }
    }
  },
})

const nameOf = (use: ModelUse): string => ("name" in use ? use.name : `${use.provider}/${use.model}`)
