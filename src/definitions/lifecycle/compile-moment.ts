import type { JsonMap } from "../../ground/message.ts"
import type { Outcome } from "../../run/log/event-outcome.ts"
import type {
  HookedMoment,
  MomentQuestions,
  MomentSpawn,
  MomentVerdict,
} from "../../run/ports/hooked-moment.ts"
import { describe } from "../../run/words/prompt.ts"
import { askOne, besides, placeOf } from "./effects.ts"
import type { MomentEvent } from "./event-names.ts"
import { isFor, isGateAt, type LifecycleHook } from "./hook.ts"
import { matchesName } from "./name-pattern.ts"

/** A hook that is asked at a moment of a run. */
export const compileMoment = (hook: LifecycleHook, event: MomentEvent): MomentQuestions => ({
  [event]: async (
    moment: HookedMoment,
    _signal: AbortSignal,
    actions: Parameters<typeof askOne>[1]["actions"],
  ) => {
    if (!isMeant(hook, moment)) return undefined
    const offered = offeredAt(moment)
    const wanted = await askOne(hook, {
      offered,
      cwd: moment.cwd,
      actions,
      told: () => ({ ...offered, ...inWordsOfClaude(hook, moment) }),
    })
    if (!wanted) return undefined
    if ("problem" in wanted) return failed(hook, wanted.problem)
    const { reason, final } = wanted
    return {
      ...(reason === undefined ? { type: "pass" } : { type: "block", reason, ...(final && { final }) }),
      ...besides(wanted),
    } as MomentVerdict & { readonly spawns?: readonly MomentSpawn[] }
  },
})

const failed = (hook: LifecycleHook, problem: string): MomentVerdict =>
  isGateAt(hook)
    ? { type: "block", reason: `the hook "${hook.name}" cannot judge it: ${problem}`, final: true }
    : { type: "pass", problems: [problem] }

/** Claude Code's main agent is a root here, and its subagents are what others call. */
function isMeant(hook: LifecycleHook, moment: HookedMoment): boolean {
  const { runs, sources } = hook
  const { agent, parent } = moment
  if (runs === "roots" && parent !== undefined) return false
  if (runs === "children" && parent === undefined) return false
  if (moment.moment === "run_start" && sources && !matchesName(sources, sourceOf(moment))) return false
  return isFor(hook, { agent })
}

const sourceOf = ({ continues }: HookedMoment<"run_start">): string =>
  continues === undefined ? "startup" : "resume"

function offeredAt(moment: HookedMoment): JsonMap {
  const { agent, run, depth, parent = null, task, turn } = moment
  return {
    event: moment.moment,
    agent,
    run,
    depth,
    parent,
    task,
    turn,
    ...placeOf(moment),
    ...ofMoment(moment),
  }
}

function ofMoment(moment: HookedMoment): JsonMap {
  switch (moment.moment) {
    case "run_start":
      return { continues: moment.continues ?? null }
    case "before_model":
      return {}
    case "after_model":
      return { output: moment.output, calls: moment.calls }
    case "after_spawn":
      return { subagent: moment.subagent, report: moment.report, ...outcomeOf(moment.outcome) }
    case "limit_near":
      return { limit: moment.limit, used: moment.used, allowed: moment.allowed }
    case "stop":
      return { output: moment.output, round: moment.round, stop_hook_active: moment.round > 1 }
    case "run_end":
      return { output: moment.output, ...outcomeOf(moment.outcome) }
  }
}

const outcomeOf = (outcome: Outcome): JsonMap => ({
  outcome: outcome.type,
  reason: outcome.type === "completed" ? null : describe(outcome),
})

/** What its hooks read on their input; ours is beside it. */
function inWordsOfClaude({ alias }: LifecycleHook, moment: HookedMoment): JsonMap {
  const { run, agent, cwd, parent, task } = moment
  const of = { session_id: run, agent_id: run, agent_type: agent, cwd }
  switch (moment.moment) {
    case "run_start":
      return alias === "UserPromptSubmit"
        ? { ...of, hook_event_name: alias, prompt: task }
        : { ...of, hook_event_name: "SessionStart", source: sourceOf(moment) }
    case "stop": {
      const name = alias ?? (parent === undefined ? "Stop" : "SubagentStop")
      return { ...of, hook_event_name: name, last_assistant_message: moment.output }
    }
    case "run_end":
      return { ...of, hook_event_name: "SessionEnd" }
    default:
      return { ...of, hook_event_name: moment.moment }
  }
}
