import type { Agent } from "../../agent/agent.ts"
import { requirePipeline } from "../../definitions/pipelines/define.ts"
import { checkTask, readTaskInputs } from "../../definitions/pipelines/inputs.ts"
import { fillValue, type TextScope } from "../../definitions/pipelines/text.ts"
import { StartError } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
import type { PinnedDefinition } from "../../run/ports/pinned.ts"
import type { PlannedCall, Planner, PlannerPlan } from "../../run/ports/planner.ts"
import type { RunState } from "../../run/state/state.ts"
import { followSteps, type StepLook, type StepSequence } from "./follow-steps.ts"
import { countLeastSpawns } from "./least-spawns.ts"
import { getFailureOutcome, getStepResult, type StepRecord, toJsonRecords } from "./step-record.ts"

/** Drives the runs of pipelines: the next calls follow from the steps and from the results so far. */
export const pipelinePlanner: Planner = {
  async begin(agent, task, agents, { maxSpawns, variables }) {
    requirePipeline(agent, agents)
    await checkTask(agent, task)
    requireSpawns(
      agent,
      { inputs: readTaskInputs(agent.pipeline!.inputs, task) ?? {}, steps: {}, task, variables },
      maxSpawns,
    )
  },
  plan,
}

async function plan({ agent, tools }: PinnedDefinition, state: RunState): Promise<PlannerPlan> {
  const calls: PlannedCall[] = []
  const open = new Set([...state.calls].flatMap(({ status, key }) => (status === "ended" ? [] : (key ?? []))))
  const scope = scopeOf(agent, state)
  const look: StepLook = {
    tool: tools.find(({ kind }) => kind === "delegation")?.name ?? "Agent",
    results: new Map([...state.plan!.results].map((result) => [result.key, result])),
    isOpen: (key) => open.has(key),
    calls,
    lists: [],
    looks: 0,
  }
  const sequence = followSteps(agent.pipeline!.steps, scope, "", look)
  const tooMany = tooManyRuns(agent, state, scope, look)
  if (tooMany) return tooMany
  return sequence.progress.type === "pending" ? { type: "calls", calls } : endPipeline(agent, scope, sequence)
}

const scopeOf = ({ pipeline }: Agent, { start }: RunState): TextScope => ({
  inputs: readTaskInputs(pipeline!.inputs, start!.task) ?? {},
  steps: {},
  task: start!.task,
  variables: start!.variables,
})

/** Refuses a run that certainly needs too many subagents, before anything is paid for. */
function requireSpawns(agent: Agent, scope: TextScope, maxSpawns: number | undefined): void {
  const needed = countLeastSpawns(agent.pipeline!.steps, scope)
  if (maxSpawns === undefined || needed <= maxSpawns) return
  throw new StartError([
    {
      code: "LIMIT_INVALID",
      kind: "call",
      message: `Pipeline "${agent.name}" needs at least ${needed} subagent runs with these inputs, but its \`maxSpawns\` is ${maxSpawns}. Nothing was started. Raise \`maxSpawns\` to ${needed} or more, or give it less work.`,
    },
  ])
}

/** A map that needs more runs than remain is not started: the cost of a part of them would be wasted. */
function tooManyRuns(
  { pipeline }: Agent,
  state: RunState,
  scope: TextScope,
  { lists }: StepLook,
): End | undefined {
  const { maxSpawns } = state.start!.limits
  if (maxSpawns === undefined || lists.length === 0) return undefined
  const remaining = maxSpawns - state.lastChild
  const first = lists[0]!
  const at = pipeline!.steps.findIndex(({ id }) => id === first.key)
  const after = at < 0 ? 0 : countLeastSpawns(pipeline!.steps.slice(at + 1), scope)
  const needed = lists.reduce((sum, { spawns }) => sum + spawns, after)
  if (needed <= remaining) return undefined
  const rest = after === 0 ? "" : `, and the steps after it ${after} more`
  const reason = `step ${first.key}: its list has ${first.items} items, which need at least ${needed - after} subagent runs${rest}; of \`maxSpawns: ${maxSpawns}\`, ${remaining} remain. None of them was started. Raise \`maxSpawns\`, or give the step fewer items`
  return { type: "end", outcome: { type: "limit", limit: "spawns", reason }, output: "" }
}

type End = Extract<PlannerPlan, { type: "end" }>

async function endPipeline(
  agent: Agent,
  scope: TextScope,
  { records, progress }: StepSequence,
): Promise<End> {
  if (progress.type === "failed")
    return {
      type: "end",
      outcome: getFailureOutcome(progress.failure),
      output: JSON.stringify(resultsOf(records)),
    }
  const result = outputOf(agent, { ...scope, steps: toJsonRecords(records) }, records)
  if ("problem" in result) return failWith(`its \`outputs\` could not be filled in: ${result.problem}`, "")
  const checked = agent.result ? await createValidator(agent.result)(result.value ?? null) : undefined
  if (checked && "problem" in checked)
    return failWith(`its output does not match its \`output\` schema: ${checked.problem}`, result.output)
  return { type: "end", outcome: { type: "completed" }, ...result }
}

/** The results of the steps before the failed step, and beside it. */
const resultsOf = (records: StepSequence["records"]): Json =>
  Object.fromEntries(Object.entries(records).map(([id, record]) => [id, getStepResult(record)]))

const failWith = (reason: string, output: string): End => ({
  type: "end",
  outcome: { type: "failed", reason },
  output,
})

/** The filled-in `outputs`, or else the output of the last step that was not skipped. */
function outputOf(
  { pipeline }: Agent,
  scope: TextScope,
  records: Readonly<Record<string, StepRecord>>,
): { readonly output: string; readonly value?: Json } | { readonly problem: string } {
  if (pipeline!.outputs) {
    const filled = fillValue(pipeline!.outputs, scope)
    return "problem" in filled ? filled : { output: JSON.stringify(filled.value), value: filled.value }
  }
  const last = pipeline!.steps
    .map(({ id }) => records[id]!)
    .findLast(({ outcome, output }) => outcome !== "skipped" && output !== "")
  if (!last) return { output: "No step has any output." }
  return { output: last.output, ...(last.value !== null && { value: last.value }) }
}
