import type { JsonMap } from "../../ground/message.ts"
import type { AfterVerdict, Hook } from "../../run/ports/hook.ts"
import type { EndedCall, HookActions, HookedRun } from "../../run/ports/hooked.ts"
import type { MomentSpawn, MomentVerdict } from "../../run/ports/hooked-moment.ts"
import { argumentsOf } from "../lifecycle/arguments.ts"
import { type CommandVerdict, commandVerdict } from "../lifecycle/command.ts"
import { judgeCall } from "../lifecycle/compile.ts"
import { inputOf } from "../lifecycle/effects.ts"
import type { HookEffect, LifecycleHook } from "../lifecycle/hook.ts"
import { advance, type Errand, type Happening, type Passage } from "./advance.ts"
import { refusal, type StepCall, stepCall } from "./allowed.ts"
import { outcomeOf } from "./outcome.ts"
import type { Workflow } from "./workflow.ts"

/** A workflow as the runs of its agent ask it: one hook, whose state is the step that their logs tell. */
export function workflowHook(workflow: Workflow): Hook {
  const effects = effectsIn(workflow)
  const spawns = [...new Set(effects.flatMap((one) => (one.type === "spawn_agent" ? [one.agent] : [])))]
  const pass = (run: HookedRun, happening: Happening, names: JsonMap): Passage =>
    advance(workflow, run.step, happening, { ...offeredBy(run), ...names }, run.locked)
  return {
    name: `workflow:${workflow.name}`,
    binds: true,
    ...(spawns.length > 0 && { spawns }),
    ...([...effects, ...gateEffectsIn(workflow)].some(({ type }) => type === "run") && { commands: true }),
    async judge(call, _signal, actions) {
      const { step, tool, input } = call
      const reason = refusalIn(workflow, step?.name, stepCall(tool, input))
      if (reason !== undefined) return { type: "block", reason }
      for (const gate of gatesIn(workflow, step?.name)) {
        const verdict = await judgeCall(gate, call, actions)
        if (verdict.type === "block") return verdict
      }
      return { type: "pass" }
    },
    async after(call, _signal, actions) {
      const outcome = outcomeOf({ status: call.status, text: call.result })
      const asked = stepCall(call.tool, call.input)
      // What came of work that was handed on, it hears when that has ended.
      if (!outcome || call.subagent !== undefined) return {}
      const passage = pass(call, { type: "call", call: asked, outcome }, callNames(call, asked, outcome))
      return (await performed(passage, call, actions)).wanted
    },
    at: {
      async run_start(run, _signal, actions) {
        const { wanted, refusals } = await performed(
          pass(run, { type: "start" }, { event: "run_start" }),
          run,
          actions,
          "gate",
        )
        const [reason] = refusals
        return reason === undefined ? { type: "pass", ...wanted } : { type: "block", reason }
      },
      async after_spawn(run, _signal, actions) {
        const outcome = run.outcome.type === "completed" ? "success" : "failure"
        const names = {
          event: "after_spawn",
          tool_name: "Agent",
          subagent: run.subagent,
          status: outcome === "success" ? "ok" : "error",
          result: run.report,
        }
        const passage = pass(run, { type: "call", call: { tool: "Agent" }, outcome }, names)
        return { type: "pass", ...(await performed(passage, run, actions)).wanted }
      },
      async stop(run): Promise<MomentVerdict> {
        const { step, problems, objection } = pass(
          run,
          { type: "stop", rounds: run.round - 1 },
          { event: "stop" },
        )
        const told = { ...(step && { step }), ...(problems.length > 0 && { problems }) }
        return objection ? { type: "block", ...objection, ...told } : { type: "pass", ...told }
      },
    },
  }
}

/** One that is in no step has just begun. */
function refusalIn({ name, steps }: Workflow, at: string | undefined, call: StepCall): string | undefined {
  const step = at === undefined ? steps[0] : steps.find((one) => one.name === at)
  return step ? refusal(step, call) : `the workflow '${name}' has no step '${at}' any more`
}

const gatesIn = ({ gates = [], steps }: Workflow, at: string | undefined): readonly LifecycleHook[] => [
  ...gates,
  ...((at === undefined ? steps[0] : steps.find(({ name }) => name === at))?.gates ?? []),
]

const offeredBy = ({ agent, run, depth, parent, task, turn, variables, cwd }: HookedRun): JsonMap => ({
  cwd,
  agent,
  run,
  depth,
  parent: parent ?? null,
  task,
  turn,
  variables,
})

function callNames(call: EndedCall, { tool }: StepCall, outcome: "success" | "failure"): JsonMap {
  const input = argumentsOf(call)
  return {
    event: "after_tool",
    tool_name: tool,
    tool_input: input,
    command: input.command ?? null,
    status: outcome === "success" ? "ok" : "error",
    result: call.result,
  }
}

/** Does what is to be done. What a command does not let pass is told the model, unless it stands where it can be refused. */
async function performed(
  { step, variables, context, spawns, errands, problems }: Passage,
  run: HookedRun,
  actions: HookActions,
  as: "news" | "gate" = "news",
): Promise<{ readonly wanted: AfterVerdict; readonly refusals: readonly string[] }> {
  const told = [...context]
  const failed = [...problems]
  const refusals: string[] = []
  for (const errand of errands) {
    const verdict = await verdictOf(errand, run, actions)
    if (verdict.type === "block") (as === "gate" ? refusals : told).push(verdict.reason)
    else {
      if (verdict.context !== undefined) told.push(verdict.context)
      if (verdict.problem !== undefined) failed.push(verdict.problem)
    }
    if (refusals.length > 0) break
  }
  return {
    wanted: {
      ...(step && { step }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(told.length > 0 && { context: told }),
      ...(spawns.length > 0 && { spawns: spawns as readonly MomentSpawn[] }),
      ...(failed.length > 0 && { problems: failed }),
    },
    refusals,
  }
}

async function verdictOf(
  { effect, offered }: Errand,
  { run, cwd }: HookedRun,
  actions: HookActions,
): Promise<CommandVerdict> {
  if (effect.type === "load_skill") {
    const skill = await actions.skill(effect.skill)
    return { type: "pass", ...("problem" in skill ? { problem: skill.problem } : { context: skill.text }) }
  }
  const { command, timeout } = effect
  // What it is told comes over its input, as to the commands of hooks.
  const input = inputOf({ ...offered, session_id: run, cwd })
  const end = await actions.command(command, { input, ...(timeout !== undefined && { timeout }) })
  return commandVerdict(end, offered.event === "run_start" ? "run_start" : "after_tool")
}

/** What it may do in whichever step, besides what its gates do. */
const effectsIn = ({ steps, onError }: Workflow): readonly HookEffect[] =>
  [
    ...steps.flatMap((step) => [
      ...step.onEnter,
      ...step.onExit,
      ...step.onSuccess,
      ...step.onError,
      ...step.onMcpSuccess,
      ...step.onMcpError,
      ...step.transitions.flatMap(({ onTransition }) => onTransition),
    ]),
    ...onError,
  ].flatMap(({ effects }) => effects)

const gateEffectsIn = ({ gates = [], steps }: Workflow): readonly HookEffect[] =>
  [...gates, ...steps.flatMap((step) => step.gates ?? [])].flatMap(({ effects }) => effects)
