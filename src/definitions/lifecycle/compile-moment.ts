import type { JsonMap } from "../../ground/message.ts"
import type { RunOutcome } from "../../run/log/event-outcome.ts"
import type {
  HookMoment,
  MomentQuestions,
  MomentSpawn,
  MomentVerdict,
} from "../../run/ports/hooked-moment.ts"
import { describeOutcome } from "../../run/words/prompt.ts"
import { getEffectsBesideVerdict, runHook, runNames } from "./effects.ts"
import type { MomentEvent } from "./event-names.ts"
import { isFor, isGateAt, type LifecycleHook } from "./hook.ts"
import { matchesName } from "./name-pattern.ts"

/** Compiles a hook that runs at a moment of a run. */
export const compileMoment = (hook: LifecycleHook, event: MomentEvent): MomentQuestions => ({
  [event]: async (
    moment: HookMoment,
    _signal: AbortSignal,
    actions: Parameters<typeof runHook>[1]["actions"],
  ) => {
    if (!isMeant(hook, moment)) return undefined
    const offered = offeredAt(moment)
    const result = await runHook(hook, {
      offered,
      cwd: moment.cwd,
      actions,
      commandInput: () => ({ ...offered, ...inWordsOfClaude(hook, moment) }),
    })
    if (!result) return undefined
    if ("problem" in result) return verdictOfFailure(hook, result.problem)
    const { reason, final } = result
    return {
      ...(reason === undefined ? { type: "pass" } : { type: "block", reason, ...(final && { final }) }),
      ...getEffectsBesideVerdict(result),
    } as MomentVerdict & { readonly spawns?: readonly MomentSpawn[] }
  },
})

const verdictOfFailure = (hook: LifecycleHook, problem: string): MomentVerdict =>
  isGateAt(hook)
    ? { type: "block", reason: `the hook "${hook.name}" could not judge it: ${problem}`, final: true }
    : { type: "pass", problems: [problem] }

/** True if the hook applies. Claude Code's main agent is a root run here, and its subagents are child runs. */
function isMeant(hook: LifecycleHook, moment: HookMoment): boolean {
  const { runs, sources } = hook
  const { agent, parent } = moment
  if (runs === "roots" && parent !== undefined) return false
  if (runs === "children" && parent === undefined) return false
  if (moment.moment === "run_start" && sources && !matchesName(sources, sourceOf(moment))) return false
  return isFor(hook, { agent })
}

const sourceOf = ({ continues }: HookMoment<"run_start">): string =>
  continues === undefined ? "startup" : "resume"

function offeredAt(moment: HookMoment): JsonMap {
  const { agent, run, depth, parent = null, task, turn } = moment
  return {
    event: moment.moment,
    agent,
    run,
    depth,
    parent,
    task,
    turn,
    ...runNames(moment),
    ...ofMoment(moment),
  }
}

function ofMoment(moment: HookMoment): JsonMap {
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

const outcomeOf = (outcome: RunOutcome): JsonMap => ({
  outcome: outcome.type,
  reason: outcome.type === "completed" ? null : describeOutcome(outcome),
})

/** The input of a command under the names that Claude Code uses. Our names are added beside them. */
function inWordsOfClaude({ alias }: LifecycleHook, moment: HookMoment): JsonMap {
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
