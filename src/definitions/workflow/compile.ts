import type { JsonMap } from "../../ground/message.ts"
import type { AfterVerdict, Hook } from "../../run/ports/hook.ts"
import type { FinishedCall, HookActions, HookRun } from "../../run/ports/hooked.ts"
import type { MomentSpawn, MomentVerdict } from "../../run/ports/hooked-moment.ts"
import { gatherArguments } from "../lifecycle/arguments.ts"
import { type CommandVerdict, readCommandEnd } from "../lifecycle/command.ts"
import { judgeCall } from "../lifecycle/compile.ts"
import { writeCommandInput } from "../lifecycle/effects.ts"
import type { HookEffect, LifecycleHook } from "../lifecycle/hook.ts"
import { advance, type PendingEffect, type WorkflowChange, type WorkflowEvent } from "./advance.ts"
import { refuseCall, type StepCall, stepCall } from "./allowed.ts"
import { readCallOutcome } from "./outcome.ts"
import type { Workflow } from "./workflow.ts"

/** Compiles a workflow to one hook. The hook keeps no state: the log of the run records the current step. */
export function compileWorkflowHook(workflow: Workflow): Hook {
  const effects = effectsIn(workflow)
  const spawns = [...new Set(effects.flatMap((one) => (one.type === "spawn_agent" ? [one.agent] : [])))]
  const pass = (run: HookRun, happening: WorkflowEvent, names: JsonMap): WorkflowChange =>
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
      const outcome = readCallOutcome({ status: call.status, text: call.result })
      const endedCall = stepCall(call.tool, call.input)
      // A call that starts a child is handled at `after_spawn`, when the child has ended. Without an outcome, nothing moves.
      if (!outcome || call.subagent !== undefined) return {}
      const change = pass(
        call,
        { type: "call", call: endedCall, outcome },
        callNames(call, endedCall, outcome),
      )
      return (await performEffects(change, call, actions)).wanted
    },
    at: {
      async run_start(run, _signal, actions) {
        const { wanted, refusals } = await performEffects(
          pass(run, { type: "start" }, { event: "run_start" }),
          run,
          actions,
          "refuse",
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
        const change = pass(run, { type: "call", call: { tool: "Agent" }, outcome }, names)
        return { type: "pass", ...(await performEffects(change, run, actions)).wanted }
      },
      async stop(run): Promise<MomentVerdict> {
        const { step, problems, objection } = pass(
          run,
          { type: "stop", rounds: run.round - 1 },
          { event: "stop" },
        )
        const stepAndProblems = { ...(step && { step }), ...(problems.length > 0 && { problems }) }
        return objection
          ? { type: "block", ...objection, ...stepAndProblems }
          : { type: "pass", ...stepAndProblems }
      },
    },
  }
}

/** The reason why a call may not run in the current step. A run without a step has just begun, in the first step. */
function refusalIn({ name, steps }: Workflow, at: string | undefined, call: StepCall): string | undefined {
  const step = at === undefined ? steps[0] : steps.find((one) => one.name === at)
  return step ? refuseCall(step, call) : `the workflow '${name}' no longer has the step '${at}'`
}

const gatesIn = ({ gates = [], steps }: Workflow, at: string | undefined): readonly LifecycleHook[] => [
  ...gates,
  ...((at === undefined ? steps[0] : steps.find(({ name }) => name === at))?.gates ?? []),
]

const offeredBy = ({ agent, run, depth, parent, task, turn, variables, cwd }: HookRun): JsonMap => ({
  cwd,
  agent,
  run,
  depth,
  parent: parent ?? null,
  task,
  turn,
  variables,
})

function callNames(call: FinishedCall, { tool }: StepCall, outcome: "success" | "failure"): JsonMap {
  const input = gatherArguments(call)
  return {
    event: "after_tool",
    tool_name: tool,
    tool_input: input,
    command: input.command ?? null,
    status: outcome === "success" ? "ok" : "error",
    result: call.result,
  }
}

/** Performs the effects of a change. If a command blocks, the model gets the reason (`tell-model`) or the run is refused. */
async function performEffects(
  { step, variables, context, spawns, pendingEffects, problems }: WorkflowChange,
  run: HookRun,
  actions: HookActions,
  onBlock: "tell-model" | "refuse" = "tell-model",
): Promise<{ readonly wanted: AfterVerdict; readonly refusals: readonly string[] }> {
  const contexts = [...context]
  const allProblems = [...problems]
  const refusals: string[] = []
  for (const pendingEffect of pendingEffects) {
    const verdict = await verdictOf(pendingEffect, run, actions)
    if (verdict.type === "block") (onBlock === "refuse" ? refusals : contexts).push(verdict.reason)
    else {
      if (verdict.context !== undefined) contexts.push(verdict.context)
      if (verdict.problem !== undefined) allProblems.push(verdict.problem)
    }
    if (refusals.length > 0) break
  }
  return {
    wanted: {
      ...(step && { step }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(contexts.length > 0 && { context: contexts }),
      ...(spawns.length > 0 && { spawns: spawns as readonly MomentSpawn[] }),
      ...(allProblems.length > 0 && { problems: allProblems }),
    },
    refusals,
  }
}

async function verdictOf(
  { effect, offered }: PendingEffect,
  { run, cwd }: HookRun,
  actions: HookActions,
): Promise<CommandVerdict> {
  if (effect.type === "load_skill") {
    const skill = await actions.skill(effect.skill)
    return { type: "pass", ...("problem" in skill ? { problem: skill.problem } : { context: skill.text }) }
  }
  const { command, timeout } = effect
  // Values reach the command only through its input, never as part of its text, so a value cannot add a command.
  const input = writeCommandInput({ ...offered, session_id: run, cwd })
  const end = await actions.command(command, { input, ...(timeout !== undefined && { timeout }) })
  return readCommandEnd(end, offered.event === "run_start" ? "run_start" : "after_tool")
}

/** The effects of all steps and of the workflow's own `on_error`. Gates are not included. */
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
