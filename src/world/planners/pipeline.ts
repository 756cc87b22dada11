import type { Agent } from "../../agent/agent.ts"
import { requirePipeline } from "../../definitions/pipelines/define.ts"
import { checkTask, inputsOf } from "../../definitions/pipelines/inputs.ts"
import { fillValue, type Scope } from "../../definitions/pipelines/text.ts"
import { StartError } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { validator } from "../../ground/schema/schema.ts"
import type { Pinned } from "../../run/ports/pinned.ts"
import type { Plan, PlannedCall, Planner } from "../../run/ports/planner.ts"
import type { RunState } from "../../run/state/state.ts"
import { followSteps, type Look, type Sequence } from "./follow-steps.ts"
import { leastSpawns } from "./least-spawns.ts"
import { asJson, outcomeBy, resultOf, type StepRecord } from "./step-record.ts"

/** Drives the runs of pipelines: what comes next follows from their steps and from the results so far. */
export const pipelinePlanner: Planner = {
  async begin(agent, task, agents, { maxSpawns, variables }) {
    requirePipeline(agent, agents)
    await checkTask(agent, task)
    requireSpawns(
      agent,
      { inputs: inputsOf(agent.pipeline!.inputs, task) ?? {}, steps: {}, task, variables },
      maxSpawns,
    )
  },
  plan,
}

async function plan({ agent, tools }: Pinned, state: RunState): Promise<Plan> {
  const calls: PlannedCall[] = []
  const open = new Set([...state.calls].flatMap(({ status, key }) => (status === "ended" ? [] : (key ?? []))))
  const scope = scopeOf(agent, state)
  const look: Look = {
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
  return sequence.progress.type === "pending" ? { type: "calls", calls } : ended(agent, scope, sequence)
}

const scopeOf = ({ pipeline }: Agent, { start }: RunState): Scope => ({
  inputs: inputsOf(pipeline!.inputs, start!.task) ?? {},
  steps: {},
  task: start!.task,
  variables: start!.variables,
})

/** What is known beforehand is refused beforehand: before anything is paid for. */
function requireSpawns(agent: Agent, scope: Scope, maxSpawns: number | undefined): void {
  const needed = leastSpawns(agent.pipeline!.steps, scope)
  if (maxSpawns === undefined || needed <= maxSpawns) return
  throw new StartError([
    {
      code: "LIMIT_INVALID",
      kind: "call",
      message: `Pipeline "${agent.name}" needs at least ${needed} subagent runs with these inputs, and its \`maxSpawns\` is ${maxSpawns}. Nothing was started. Raise \`maxSpawns\` to ${needed} or more, or give it less to do.`,
    },
  ])
}

/** A map that needs more runs than are left is not begun: what it would have done until then would be paid for nothing. */
function tooManyRuns({ pipeline }: Agent, state: RunState, scope: Scope, { lists }: Look): End | undefined {
  const { maxSpawns } = state.start!.limits
  if (maxSpawns === undefined || lists.length === 0) return undefined
  const left = maxSpawns - state.lastChild
  const first = lists[0]!
  const at = pipeline!.steps.findIndex(({ id }) => id === first.key)
  const after = at < 0 ? 0 : leastSpawns(pipeline!.steps.slice(at + 1), scope)
  const needed = lists.reduce((sum, { spawns }) => sum + spawns, after)
  if (needed <= left) return undefined
  const rest = after === 0 ? "" : `, and the steps after it ${after} more`
  const reason = `step ${first.key}: its list has ${first.items} items, which need at least ${needed - after} subagent runs${rest}; of \`maxSpawns: ${maxSpawns}\`, ${left} are left. None of them was started. Raise \`maxSpawns\`, or give it fewer items`
  return { type: "end", outcome: { type: "limit", limit: "spawns", reason }, output: "" }
}

type End = Extract<Plan, { type: "end" }>

async function ended(agent: Agent, scope: Scope, { records, progress }: Sequence): Promise<End> {
  if (progress.type === "failed")
    return { type: "end", outcome: outcomeBy(progress.failure), output: JSON.stringify(resultsOf(records)) }
  const given = outputOf(agent, { ...scope, steps: asJson(records) }, records)
  if ("problem" in given) return failed(`its \`outputs\` could not be filled in: ${given.problem}`, "")
  const checked = agent.result ? await validator(agent.result)(given.value ?? null) : undefined
  if (checked && "problem" in checked)
    return failed(`what it gives does not fit its \`output\` schema: ${checked.problem}`, given.output)
  return { type: "end", outcome: { type: "completed" }, ...given }
}

/** What there was before a step failed, and beside it. */
const resultsOf = (records: Sequence["records"]): Json =>
  Object.fromEntries(Object.entries(records).map(([id, record]) => [id, resultOf(record)]))

const failed = (reason: string, output: string): End => ({
  type: "end",
  outcome: { type: "failed", reason },
  output,
})

/** What its `outputs` say; else what the last step gave that was not skipped. */
function outputOf(
  { pipeline }: Agent,
  scope: Scope,
  records: Readonly<Record<string, StepRecord>>,
): { readonly output: string; readonly value?: Json } | { readonly problem: string } {
  if (pipeline!.outputs) {
    const filled = fillValue(pipeline!.outputs, scope)
    return "problem" in filled ? filled : { output: JSON.stringify(filled.value), value: filled.value }
  }
  const last = pipeline!.steps
    .map(({ id }) => records[id]!)
    .findLast(({ outcome, output }) => outcome !== "skipped" && output !== "")
  if (!last) return { output: "No step gave anything." }
  return { output: last.output, ...(last.value !== null && { value: last.value }) }
}
