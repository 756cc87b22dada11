import type { Handing, LoopStep, MapStep, ParallelStep, PipelineStep } from "../../agent/pipeline.ts"
import { fillText, fillValue, isSo, type Scope, workOut } from "../../definitions/pipelines/text.ts"
import type { Json } from "../../ground/message.ts"
import type { PlannedCall } from "../../run/ports/planner.ts"
import type { PlannedResult } from "../../run/state/state.ts"
import { spawnsOfItems } from "./least-spawns.ts"
import {
  asJson,
  type Failure,
  failureOf,
  failureOfText,
  recordOf,
  resultOf,
  type StepRecord,
} from "./step-record.ts"

/** How far steps have come, looked at from the start with the results there are; what can begin now is asked for. */
export type Progress =
  | { readonly type: "done"; readonly record: StepRecord }
  | { readonly type: "failed"; readonly failure: Failure }
  | { readonly type: "pending" }

type Records = Readonly<Record<string, StepRecord>>

/** What steps gave that came to an end, and how all of them stand. */
export interface Sequence {
  readonly records: Records
  readonly progress: Progress
}

export interface Look {
  /** The tool that hands work on. */
  readonly tool: string
  readonly results: ReadonlyMap<string, PlannedResult>
  readonly isOpen: (key: string) => boolean
  /** Filled with what is to begin. */
  readonly calls: PlannedCall[]
  /** Filled with the maps whose list is known now and of which nothing has begun. */
  readonly lists: { readonly key: string; readonly items: number; readonly spawns: number }[]
  /** How many steps were looked at. */
  looks: number
}

/** One after the other, each with what those before it gave. */
export function followSteps(
  steps: readonly PipelineStep[],
  scope: Scope,
  prefix: string,
  look: Look,
): Sequence {
  let records: Records = {}
  let record: StepRecord = nothing
  for (const step of steps) {
    const followed = followStep(step, seeing(scope, records), prefix, look)
    records = { ...records, ...followed.records }
    const { progress } = followed
    if (progress.type === "pending") return { records, progress }
    record = leftBy(progress)
    records = { ...records, [step.id]: record }
    if (progress.type === "failed") return { records, progress }
  }
  return { records, progress: { type: "done", record } }
}

const nothing = recordOf("skipped", "")

const leftBy = (progress: Exclude<Progress, { type: "pending" }>): StepRecord =>
  progress.type === "done" ? progress.record : progress.failure.record

const seeing = (scope: Scope, records: Records): Scope => ({
  ...scope,
  steps: { ...(scope.steps as { readonly [id: string]: Json }), ...asJson(records) },
})

/** Rounds in which every step is skipped cost no call, which would bound them. */
const mostLooks = 200_000

function followStep(step: PipelineStep, scope: Scope, prefix: string, look: Look): Sequence {
  const key = `${prefix}${step.id}`
  if (++look.looks > mostLooks)
    return alone(broken(key, `more than ${mostLooks} steps were looked at, most of them for nothing`))
  const wanted = step.when === undefined ? { value: true } : isSo(step.when, scope)
  if ("problem" in wanted) return excused(step, alone(broken(key, `its \`when\` failed: ${wanted.problem}`)))
  if (!wanted.value) return alone({ type: "done", record: nothing })
  return excused(step, perform(step, scope, prefix, key, look))
}

function perform(step: PipelineStep, scope: Scope, prefix: string, key: string, look: Look): Sequence {
  if ("parallel" in step) return together(step, scope, prefix, look)
  if ("map" in step) return alone(overList(step, scope, key, look))
  if ("loop" in step) return alone(inRounds(step, scope, key, look))
  if ("approval" in step)
    return alone(
      called(key, look, () => {
        const message = fillText(step.approval, scope)
        const { timeout } = step
        return "problem" in message
          ? message
          : { type: "approval", message: message.value, ...(timeout !== undefined && { timeout }) }
      }),
    )
  if ("wait" in step) return alone(called(key, look, () => ({ type: "pause", milliseconds: step.wait })))
  return alone(handOver(step, scope, key, look))
}

const alone = (progress: Progress): Sequence => ({ records: {}, progress })

const broken = (key: string, reason: string): Progress => ({
  type: "failed",
  failure: failureOfText(key, reason),
})

/** Where the step says so, the pipeline goes on without what it should have given. */
function excused(step: PipelineStep, followed: Sequence): Sequence {
  const { progress, records } = followed
  if (progress.type !== "failed" || step.on_error !== "continue") return followed
  return { records, progress: { type: "done", record: progress.failure.record } }
}

/** What one of them fails at stops no other; the step has failed when all have ended. */
function together({ parallel }: ParallelStep, scope: Scope, prefix: string, look: Look): Sequence {
  const followed = parallel.map((step) => ({ step, ...followStep(step, scope, prefix, look) }))
  const records = Object.assign(
    {},
    ...followed.map(({ step, records, progress }) => ({
      ...records,
      ...(progress.type !== "pending" && { [step.id]: leftBy(progress) }),
    })),
  )
  const progress = joined(
    followed.map(({ progress }) => progress),
    (given) => {
      const value = Object.fromEntries(parallel.map(({ id }, index) => [id, resultOf(given[index]!)]))
      return recordOf("completed", JSON.stringify(value), { value })
    },
  )
  return { records, progress }
}

/** In the order of the list, whatever order they end in. */
function overList(step: MapStep, scope: Scope, key: string, look: Look): Progress {
  const { map, as = "item", at_once: atOnce = Number.POSITIVE_INFINITY, steps } = step
  const list = typeof map === "string" ? workOut(map, scope) : fillValue(map as Json, scope)
  if ("problem" in list) return broken(key, `its \`map\` failed: ${list.problem}`)
  if (!Array.isArray(list.value))
    return broken(key, `its \`map\` came to ${shown(list.value)}, and not to a list`)
  const items: Progress[] = []
  const before = look.calls.length
  let atWork = 0
  for (const [index, item] of (list.value as readonly Json[]).entries()) {
    if (atWork >= atOnce) break
    const inner = { ...scope, [as]: item, index }
    const progress = steps
      ? followSteps(steps, inner, `${key}[${index}].`, look).progress
      : handOver(step as Handing, inner, `${key}[${index}]`, look)
    if (progress.type === "pending") atWork++
    items.push(progress)
  }
  if (items.every(({ type }) => type === "pending") && look.calls.length - before >= atWork)
    look.lists.push({
      key,
      items: list.value.length,
      spawns: spawnsOfItems(step, list.value as readonly Json[], scope),
    })
  if (items.length < list.value.length) return { type: "pending" }
  return joined(items, (given) => {
    const value = given.map(resultOf)
    return recordOf("completed", JSON.stringify(value), { value, each: given.map(asJson) })
  })
}

/** Pending while one of them is; else failed with the first, in their order, that is. What the others gave is kept. */
function joined(all: readonly Progress[], put: (given: readonly StepRecord[]) => StepRecord): Progress {
  const ended = all.filter((one) => one.type !== "pending")
  if (ended.length < all.length) return { type: "pending" }
  const record = put(ended.map(leftBy))
  const failed = ended.find((one) => one.type === "failed")
  if (!failed) return { type: "done", record }
  const { outcome, error = "" } = failed.failure.record
  return { type: "failed", failure: { ...failed.failure, record: { ...record, outcome, error } } }
}

function inRounds({ loop, steps }: LoopStep, scope: Scope, key: string, look: Look): Progress {
  let previous: Json = asJson(unrun(steps))
  let last: StepRecord = nothing
  for (let round = 1; round <= loop.max; round++) {
    const inner = { ...scope, round, previous }
    const { records, progress } = followSteps(steps, inner, `${key}(${round}).`, look)
    if (progress.type !== "done") return progress
    last = { ...progress.record, rounds: round }
    const until = isSo(loop.until, seeing(inner, records))
    if ("problem" in until) return broken(key, `its \`until\` failed: ${until.problem}`)
    if (until.value) return { type: "done", record: last }
    previous = asJson(records)
  }
  const reason = `it came to its cap of ${loop.max} ${loop.max === 1 ? "round" : "rounds"}, and \`${loop.until.trim()}\` did not hold`
  return {
    type: "failed",
    failure: { key, outcome: { type: "loop", reason }, record: { ...last, outcome: "loop", error: reason } },
  }
}

/** Before the first round, every step is as if it had been skipped. */
const unrun = (steps: readonly PipelineStep[]): Records =>
  Object.fromEntries(
    steps.flatMap((step) => [
      [step.id, nothing],
      ...("parallel" in step ? Object.entries(unrun(step.parallel)) : []),
    ]),
  )

function handOver(step: Handing, scope: Scope, key: string, look: Look): Progress {
  return called(key, look, () => {
    const { agent, model, timeout } = step
    const prompt = step.inputs ? written(fillValue(step.inputs, scope)) : fillText(step.prompt!, scope)
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

const written = (filled: ReturnType<typeof fillValue>): ReturnType<typeof fillText> =>
  "problem" in filled ? filled : { value: JSON.stringify(filled.value) }

type Wanted = PlannedCall extends infer Call ? (Call extends unknown ? Omit<Call, "key"> : never) : never

/** What a call came to; where there is none yet, it is asked for. */
function called(key: string, look: Look, want: () => Wanted | { readonly problem: string }): Progress {
  const result = look.results.get(key)
  if (result) {
    const failure = failureOf(result)
    if (failure) return { type: "failed", failure }
    const { text, report, child } = result
    const value = report && "value" in report ? { value: report.value! } : {}
    return {
      type: "done",
      record: recordOf("completed", text, { ...value, ...(child !== undefined && { run: child }) }),
    }
  }
  if (look.isOpen(key)) return { type: "pending" }
  const wanted = want()
  if ("problem" in wanted) return broken(key, `it could not be filled in: ${wanted.problem}`)
  look.calls.push({ key, ...wanted } as PlannedCall)
  return { type: "pending" }
}

const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
