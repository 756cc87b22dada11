import type { AgentWork, LoopStep, MapStep, ParallelStep, PipelineStep } from "../../agent/pipeline.ts"
import {
  evaluateText,
  fillText,
  fillValue,
  type TextScope,
  testCondition,
} from "../../definitions/pipelines/text.ts"
import type { Json } from "../../ground/message.ts"
import type { PlannedCall } from "../../run/ports/planner.ts"
import type { PlannedResult } from "../../run/state/state.ts"
import { countItemSpawns } from "./least-spawns.ts"
import {
  createTextFailure,
  findCallFailure,
  getStepResult,
  makeStepRecord,
  type StepFailure,
  type StepRecord,
  toJsonRecords,
} from "./step-record.ts"

/** The progress of a step, worked out from the start with the results so far. */
export type StepProgress =
  | { readonly type: "done"; readonly record: StepRecord }
  | { readonly type: "failed"; readonly failure: StepFailure }
  | { readonly type: "pending" }

type Records = Readonly<Record<string, StepRecord>>

/** The records of the steps that have ended, and the progress of all steps together. */
export interface StepSequence {
  readonly records: Records
  readonly progress: StepProgress
}

export interface StepLook {
  /** The tool that delegates work. */
  readonly tool: string
  readonly results: ReadonlyMap<string, PlannedResult>
  readonly isOpen: (key: string) => boolean
  /** Collects the calls that can begin now. */
  readonly calls: PlannedCall[]
  /** Collects the maps whose list is known now and of which nothing has begun. */
  readonly lists: { readonly key: string; readonly items: number; readonly spawns: number }[]
  /** The number of steps that were examined. */
  looks: number
}

/** Follows steps one after the other, each with the results of those before it. */
export function followSteps(
  steps: readonly PipelineStep[],
  scope: TextScope,
  prefix: string,
  look: StepLook,
): StepSequence {
  let records: Records = {}
  let record: StepRecord = nothing
  for (const step of steps) {
    const sequence = followStep(step, withRecords(scope, records), prefix, look)
    records = { ...records, ...sequence.records }
    const { progress } = sequence
    if (progress.type === "pending") return { records, progress }
    record = recordOfEnd(progress)
    records = { ...records, [step.id]: record }
    if (progress.type === "failed") return { records, progress }
  }
  return { records, progress: { type: "done", record } }
}

const nothing = makeStepRecord("skipped", "")

const recordOfEnd = (progress: Exclude<StepProgress, { type: "pending" }>): StepRecord =>
  progress.type === "done" ? progress.record : progress.failure.record

const withRecords = (scope: TextScope, records: Records): TextScope => ({
  ...scope,
  steps: { ...(scope.steps as { readonly [id: string]: Json }), ...toJsonRecords(records) },
})

/** Bounds rounds in which every step is skipped: they make no call, which would bound them. */
const mostLooks = 200_000

function followStep(step: PipelineStep, scope: TextScope, prefix: string, look: StepLook): StepSequence {
  const key = `${prefix}${step.id}`
  if (++look.looks > mostLooks)
    return withoutRecords(failStep(key, `it did not end after ${mostLooks} steps, most of them skipped`))
  const condition = step.when === undefined ? { value: true } : testCondition(step.when, scope)
  if ("problem" in condition)
    return excuse(step, withoutRecords(failStep(key, `its \`when\` failed: ${condition.problem}`)))
  if (!condition.value) return withoutRecords({ type: "done", record: nothing })
  return excuse(step, perform(step, scope, prefix, key, look))
}

function perform(
  step: PipelineStep,
  scope: TextScope,
  prefix: string,
  key: string,
  look: StepLook,
): StepSequence {
  if ("parallel" in step) return followParallel(step, scope, prefix, look)
  if ("map" in step) return withoutRecords(followMap(step, scope, key, look))
  if ("loop" in step) return withoutRecords(followLoop(step, scope, key, look))
  if ("approval" in step)
    return withoutRecords(
      followCall(key, look, () => {
        const message = fillText(step.approval, scope)
        const { timeout } = step
        return "problem" in message
          ? message
          : { type: "approval", message: message.value, ...(timeout !== undefined && { timeout }) }
      }),
    )
  if ("wait" in step)
    return withoutRecords(followCall(key, look, () => ({ type: "pause", milliseconds: step.wait })))
  return withoutRecords(handOver(step, scope, key, look))
}

const withoutRecords = (progress: StepProgress): StepSequence => ({ records: {}, progress })

const failStep = (key: string, reason: string): StepProgress => ({
  type: "failed",
  failure: createTextFailure(key, reason),
})

/** With `on_error: continue`, a failed step counts as done, and the pipeline goes on without its result. */
function excuse(step: PipelineStep, sequence: StepSequence): StepSequence {
  const { progress, records } = sequence
  if (progress.type !== "failed" || step.on_error !== "continue") return sequence
  return { records, progress: { type: "done", record: progress.failure.record } }
}

/** A failed step does not stop the others. The parallel step has failed when all of them have ended. */
function followParallel(
  { parallel }: ParallelStep,
  scope: TextScope,
  prefix: string,
  look: StepLook,
): StepSequence {
  const sequences = parallel.map((step) => ({ step, ...followStep(step, scope, prefix, look) }))
  const records = Object.assign(
    {},
    ...sequences.map(({ step, records, progress }) => ({
      ...records,
      ...(progress.type !== "pending" && { [step.id]: recordOfEnd(progress) }),
    })),
  )
  const progress = joinProgress(
    sequences.map(({ progress }) => progress),
    (stepRecords) => {
      const value = Object.fromEntries(
        parallel.map(({ id }, index) => [id, getStepResult(stepRecords[index]!)]),
      )
      return makeStepRecord("completed", JSON.stringify(value), { value })
    },
  )
  return { records, progress }
}

/** The results are in the order of the list, in whatever order the items end. */
function followMap(step: MapStep, scope: TextScope, key: string, look: StepLook): StepProgress {
  const { map, as = "item", at_once: atOnce = Number.POSITIVE_INFINITY, steps } = step
  const list = typeof map === "string" ? evaluateText(map, scope) : fillValue(map as Json, scope)
  if ("problem" in list) return failStep(key, `its \`map\` failed: ${list.problem}`)
  if (!Array.isArray(list.value))
    return failStep(key, `its \`map\` is ${shorten(list.value)}, which is not a list`)
  const items: StepProgress[] = []
  const before = look.calls.length
  let atWork = 0
  for (const [index, item] of (list.value as readonly Json[]).entries()) {
    if (atWork >= atOnce) break
    const inner = { ...scope, [as]: item, index }
    const progress = steps
      ? followSteps(steps, inner, `${key}[${index}].`, look).progress
      : handOver(step as AgentWork, inner, `${key}[${index}]`, look)
    if (progress.type === "pending") atWork++
    items.push(progress)
  }
  if (items.every(({ type }) => type === "pending") && look.calls.length - before >= atWork)
    look.lists.push({
      key,
      items: list.value.length,
      spawns: countItemSpawns(step, list.value as readonly Json[], scope),
    })
  if (items.length < list.value.length) return { type: "pending" }
  return joinProgress(items, (itemRecords) => {
    const value = itemRecords.map(getStepResult)
    return makeStepRecord("completed", JSON.stringify(value), { value, each: itemRecords.map(toJsonRecords) })
  })
}

/**
 * Pending while one of the steps is pending. Otherwise failed with the first failure in their order, if there
 * is one. The results of the others are kept.
 */
function joinProgress(
  all: readonly StepProgress[],
  put: (records: readonly StepRecord[]) => StepRecord,
): StepProgress {
  const endedSteps = all.filter((one) => one.type !== "pending")
  if (endedSteps.length < all.length) return { type: "pending" }
  const record = put(endedSteps.map(recordOfEnd))
  const firstFailed = endedSteps.find((one) => one.type === "failed")
  if (!firstFailed) return { type: "done", record }
  const { outcome, error = "" } = firstFailed.failure.record
  return { type: "failed", failure: { ...firstFailed.failure, record: { ...record, outcome, error } } }
}

function followLoop({ loop, steps }: LoopStep, scope: TextScope, key: string, look: StepLook): StepProgress {
  let previous: Json = toJsonRecords(skippedRecords(steps))
  let last: StepRecord = nothing
  for (let round = 1; round <= loop.max; round++) {
    const inner = { ...scope, round, previous }
    const { records, progress } = followSteps(steps, inner, `${key}(${round}).`, look)
    if (progress.type !== "done") return progress
    last = { ...progress.record, rounds: round }
    const until = testCondition(loop.until, withRecords(inner, records))
    if ("problem" in until) return failStep(key, `its \`until\` failed: ${until.problem}`)
    if (until.value) return { type: "done", record: last }
    previous = toJsonRecords(records)
  }
  const reason = `it reached its limit of ${loop.max} ${loop.max === 1 ? "round" : "rounds"}, and \`${loop.until.trim()}\` was still false`
  return {
    type: "failed",
    failure: { key, outcome: { type: "loop", reason }, record: { ...last, outcome: "loop", error: reason } },
  }
}

/** Before the first round, every step counts as skipped. */
const skippedRecords = (steps: readonly PipelineStep[]): Records =>
  Object.fromEntries(
    steps.flatMap((step) => [
      [step.id, nothing],
      ...("parallel" in step ? Object.entries(skippedRecords(step.parallel)) : []),
    ]),
  )

function handOver(step: AgentWork, scope: TextScope, key: string, look: StepLook): StepProgress {
  return followCall(key, look, () => {
    const { agent, model, timeout } = step
    const prompt = step.inputs ? toText(fillValue(step.inputs, scope)) : fillText(step.prompt!, scope)
    const variables = step.variables ? fillValue(step.variables, scope) : undefined
    if ("problem" in prompt) return prompt
    if (variables && "problem" in variables) return variables
    return {
      type: "call",
      tool: look.tool,
      input: {
        agent,
        prompt: prompt.value,
        ...(model !== undefined && { model }),
        ...(timeout !== undefined && { timeout: timeout / 1000 }),
        ...(variables && { variables: variables.value }),
      },
    }
  })
}

const toText = (filled: ReturnType<typeof fillValue>): ReturnType<typeof fillText> =>
  "problem" in filled ? filled : { value: JSON.stringify(filled.value) }

type NewCall = PlannedCall extends infer Call ? (Call extends unknown ? Omit<Call, "key"> : never) : never

/** The progress of a call. A call that was not made yet is added to the plan. */
function followCall(
  key: string,
  look: StepLook,
  makeCall: () => NewCall | { readonly problem: string },
): StepProgress {
  const result = look.results.get(key)
  if (result) {
    const failure = findCallFailure(result)
    if (failure) return { type: "failed", failure }
    const { text, report, child } = result
    const value = report && "value" in report ? { value: report.value! } : {}
    return {
      type: "done",
      record: makeStepRecord("completed", text, { ...value, ...(child !== undefined && { run: child }) }),
    }
  }
  if (look.isOpen(key)) return { type: "pending" }
  const newCall = makeCall()
  if ("problem" in newCall) return failStep(key, `its text could not be filled in: ${newCall.problem}`)
  look.calls.push({ key, ...newCall } as PlannedCall)
  return { type: "pending" }
}

const shorten = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
