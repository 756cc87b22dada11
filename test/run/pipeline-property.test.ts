import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, test } from "vitest"
import type { AgentWork, PipelineStep } from "../../src/agent/pipeline.ts"
import {
  evaluateText,
  fillText,
  fillValue,
  type TextScope,
  testCondition,
} from "../../src/definitions/pipelines/text.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { createGenerator } from "../../src/faces/testing/random.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RunResult } from "../../src/run/drive/proof.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound } from "../kit.ts"
import { rounds } from "../rounds.ts"
import { type Answer, later, pipelineWorld, plain, treeOf } from "./pipeline-kit.ts"

/** A pipeline before its steps have ids. */
type Shape =
  | { readonly type: "agent" | "approval" | "wait" }
  | { readonly type: "parallel" | "steps-map" | "loop"; readonly inner: readonly Shape[]; readonly n: number }
  | { readonly type: "agent-map"; readonly n: number }

interface Chosen {
  readonly shape: Shape
  readonly when: boolean
  readonly lenient: boolean
}

const { shape } = fc.letrec<{ shape: Shape }>((tie) => {
  const inner = fc.array(tie("shape"), { minLength: 1, maxLength: 3 })
  return {
    shape: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ type: fc.constantFrom("agent", "agent", "agent", "approval", "wait") }),
      fc.record({ type: fc.constant("agent-map"), n: fc.nat(4) }),
      fc.record({ type: fc.constantFrom("parallel", "steps-map", "loop"), inner, n: fc.nat(3) }),
    ) as fc.Arbitrary<Shape>,
  }
})
const chosen: fc.Arbitrary<Chosen> = fc.record({ shape, when: fc.boolean(), lenient: fc.boolean() })
const shapes = fc.array(chosen, { minLength: 1, maxLength: 4 })

/** Gives every step an id, and a prompt that tells it from every other one and holds what steps before it gave. */
function build(all: readonly Chosen[]): readonly PipelineStep[] {
  let last = 0
  const named = (shape: Shape, before: readonly string[], names: string): PipelineStep => {
    const id = `s${++last}`
    const seen = before.slice(-2).map((other) => `{{ steps.${other}.output }}`)
    const prompt = `${id} ${names} ${seen.join(" ")}`
    const list = (n: number) => Array.from({ length: n }, (_, index) => `i${index}`)
    switch (shape.type) {
      case "agent":
        return { id, agent: "worker", prompt }
      case "approval":
        return { id, approval: prompt }
      case "wait":
        return { id, wait: 2 }
      case "agent-map":
        return { id, map: list(shape.n), at_once: 2, agent: "worker", prompt: `${prompt} {{ item }}` }
      case "steps-map": {
        const item = `item${id}`
        return {
          id,
          map: list(shape.n),
          as: item,
          steps: sequence(shape.inner, before, `${names} {{ ${item} }}`),
        }
      }
      case "parallel":
        return { id, parallel: shape.inner.map((one) => named(one, before, names)) }
      case "loop": {
        const steps = sequence(shape.inner, before, `${names} {{ round }}`)
        return { id, loop: { until: `'3' in steps.${steps.at(-1)!.id}.output`, max: shape.n + 1 }, steps }
      }
    }
  }
  const sequence = (inner: readonly Shape[], before: readonly string[], names: string): PipelineStep[] => {
    const steps: PipelineStep[] = []
    for (const one of inner) steps.push(named(one, [...before, ...steps.map(({ id }) => id)], names))
    return steps
  }
  const steps: PipelineStep[] = []
  for (const { shape, when, lenient } of all) {
    const earlier = steps.at(-1)?.id
    steps.push({
      ...named(
        shape,
        steps.map(({ id }) => id),
        "",
      ),
      ...(when && earlier !== undefined && { when: `not ('5' in steps.${earlier}.output)` }),
      ...(lenient && { on_error: "continue" }),
    } as PipelineStep)
  }
  return steps
}

const digits = (text: string): string =>
  createHash("sha1").update(text).digest("hex").replace(/[a-f]/g, "").slice(0, 4)
const answer = (task: string): Answer =>
  digits(`fail ${task}`).startsWith("0") ? { fails: `no ${digits(task)}` } : { text: digits(task) }
const isApproved = (message: string): boolean => !digits(`approve ${message}`).startsWith("1")

/** What a pipeline should come to, told in the plainest way: one thing after the other, and nothing can be cut. */
class Oracle {
  readonly tasks: string[] = []

  run(steps: readonly PipelineStep[]): { outcome: string; output: Json } {
    const scope: TextScope = { inputs: {}, steps: {}, task: "go", variables: {} }
    const { records, failure } = this.sequence(steps, scope, "")
    if (failure !== undefined)
      return {
        outcome: failure,
        output: Object.fromEntries(Object.entries(records).map(([id, record]) => [id, resultOf(record)])),
      }
    const shown = steps
      .map(({ id }) => records[id]!)
      .findLast(({ outcome, output }) => outcome !== "skipped" && output !== "")
    return { outcome: "completed", output: shown?.output ?? "No step has any output." }
  }

  sequence(steps: readonly PipelineStep[], scope: TextScope, prefix: string) {
    let records: Record<string, Given> = {}
    let last: Given = skipped
    for (const step of steps) {
      const inner = { ...scope, steps: { ...(scope.steps as object), ...records } as unknown as Json }
      const { given, others, failure } = this.step(step, inner, prefix)
      records = { ...records, ...others, [step.id]: given }
      last = given
      if (failure !== undefined) return { records, failure, last }
    }
    return { records, last }
  }

  step(step: PipelineStep, scope: TextScope, prefix: string): Stepped {
    const when = step.when === undefined ? { value: true } : testCondition(step.when, scope)
    if ("problem" in when) throw new Error(when.problem)
    if (!when.value) return { given: skipped, others: {} }
    const did = this.perform(step, scope, prefix)
    return step.on_error === "continue" ? { given: did.given, others: did.others } : did
  }

  perform(step: PipelineStep, scope: TextScope, prefix: string): Stepped {
    const key = `${prefix}${step.id}`
    if ("parallel" in step) {
      const members = step.parallel.map((one) => ({ id: one.id, ...this.step(one, scope, prefix) }))
      const others = Object.assign(
        {},
        ...members.map((one) => ({
          ...one.others,
          [one.id]: one.given,
        })),
      )
      const value = Object.fromEntries(members.map(({ id, given }) => [id, resultOf(given)]))
      return { ...together(members, value), others }
    }
    if ("map" in step) {
      const list =
        typeof step.map === "string" ? evaluateText(step.map, scope) : fillValue(step.map as Json, scope)
      if ("problem" in list) throw new Error(list.problem)
      const items = (list.value as readonly Json[]).map((item, index) => {
        const inner = { ...scope, [step.as ?? "item"]: item, index }
        if (!step.steps) return this.hand(step as AgentWork, inner, `${key}[${index}]`)
        const { failure, last } = this.sequence(step.steps, inner, `${key}[${index}].`)
        return { given: last, others: {}, ...(failure !== undefined && { failure }) }
      })
      return together(
        items,
        items.map(({ given }) => resultOf(given)),
      )
    }
    if ("loop" in step) {
      for (let round = 1; ; round++) {
        const inner = { ...scope, round }
        const { records, failure, last } = this.sequence(step.steps, inner, `${key}(${round}).`)
        if (failure !== undefined) return { given: last, others: {}, failure }
        const until = testCondition(step.loop.until, {
          ...inner,
          steps: { ...(scope.steps as object), ...records } as unknown as Json,
        })
        if ("problem" in until) throw new Error(until.problem)
        if (until.value) return { given: last, others: {} }
        if (round === step.loop.max)
          return {
            given: { ...last, outcome: "loop" },
            others: {},
            failure: `loop: step ${key}: it reached its limit`,
          }
      }
    }
    if ("approval" in step) {
      const message = (fillText(step.approval, scope) as { value: string }).value
      if (isApproved(message))
        return { given: { outcome: "completed", output: "Approved.", value: null }, others: {} }
      return {
        given: { outcome: "denied", output: "", value: null },
        others: {},
        failure: `denied: step ${key}: Not permitted: no`,
      }
    }
    if ("wait" in step) return { given: { outcome: "completed", output: "", value: null }, others: {} }
    return this.hand(step, scope, key)
  }

  hand(step: AgentWork, scope: TextScope, key: string): Stepped {
    const task = (fillText(step.prompt!, scope) as { value: string }).value
    this.tasks.push(task)
    const said = answer(task)
    if ("text" in said) return { given: { outcome: "completed", output: said.text, value: null }, others: {} }
    const { fails } = said as { fails: string }
    return {
      given: { outcome: "failed", output: "", value: null },
      others: {},
      failure: `failed: step ${key} (agent worker, run): ${fails}`,
    }
  }
}

interface Given {
  readonly outcome: string
  readonly output: string
  readonly value: Json
}

interface Stepped {
  readonly given: Given
  readonly others: Readonly<Record<string, Given>>
  readonly failure?: string
}

const skipped: Given = { outcome: "skipped", output: "", value: null }
const resultOf = ({ outcome, output, value }: Given): Json =>
  value ?? (outcome === "completed" ? output : null)

function together(all: readonly Stepped[], value: Json): Stepped {
  const failed = all.find(({ failure }) => failure !== undefined)
  const given = { outcome: failed ? failed.given.outcome : "completed", output: JSON.stringify(value), value }
  return { given, others: {}, ...(failed && { failure: failed.failure! }) }
}

/** Ids of runs, which depend on who was first, are left out. */
function told({ outcome, output }: RunResult<unknown>): { outcome: string; output: Json } {
  const reason = "reason" in outcome! ? outcome.reason : ""
  const said = `${outcome!.type}: ${reason}`.replace(/, run [^)]*\)/, ", run)").replace(/(its limit).*/, "$1")
  return outcome!.type === "completed"
    ? { outcome: "completed", output }
    : { outcome: said, output: JSON.parse(output) }
}

/** Drives to the end, and answers whatever is asked on the way. */
async function toItsEnd(runtime: Runtime, first: RunResult<unknown>): Promise<RunResult<unknown>> {
  let result = first
  while (result.status !== "ended") {
    for (const { run, call, arguments: text } of result.approvals)
      await (isApproved(JSON.parse(text).message)
        ? runtime.approve(run, call, "allow")
        : runtime.approve(run, call, "deny", "no"))
    result = await runtime.resume(result.run).done
  }
  return result
}

const worldOf = (steps: readonly PipelineStep[], seed: number, store: Store) => {
  const random = createGenerator(seed)
  return pipelineWorld({
    pipeline: { steps, limits: { maxConcurrency: 1 + (seed % 5), maxSpawns: 2_000 } },
    agents: [plain("worker")],
    answers: (_, task) => later(random() * 4, answer(task)),
    store,
  })
}

/** Tasks of all runs below the root, each as often as it was handed over. */
const tasksIn = async (store: Store, root: string): Promise<readonly string[]> =>
  (await treeOf(store, root))
    .flatMap((line) => /^ {2}worker \(agent\): (.*) -> /s.exec(line)?.[1] ?? [])
    .sort()

test("a pipeline comes to the same, and hands over the same tasks, whatever order its runs end in", async () => {
  await fc.assert(
    fc.asyncProperty(shapes, fc.integer({ min: 1, max: 1_000 }), async (chosen, seed) => {
      const steps = build(chosen)
      const oracle = new Oracle()
      const expected = oracle.run(steps)
      for (const timing of [seed, seed + 1]) {
        const { run, store, runtime } = worldOf(steps, timing, memoryStore())
        const handle = run()
        expect(told(await toItsEnd(runtime, await handle.done))).toEqual(expected)
        expect(await tasksIn(store, handle.id)).toEqual([...oracle.tasks].sort())
        await expectSound(store, handle.id)
      }
    }),
    { numRuns: rounds(60) },
  )
})

test("cut anywhere and resumed, it comes to the same, and nothing is handed over twice", async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes,
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 60 }),
      async (chosen, seed, cut) => {
        const steps = build(chosen)
        const oracle = new Oracle()
        const expected = oracle.run(steps)
        for (const plan of [{ dieAfter: cut }, { dieDuring: 1 + (cut % 17) }]) {
          const store = memoryStore()
          const dying = worldOf(steps, seed, faultyStore(store, plan))
          const handle = dying.run()
          const first = await handle.done
            .then(
              (result) => toItsEnd(dying.runtime, result),
              () => undefined,
            )
            .catch(() => undefined)
          const { runtime } = worldOf(steps, seed + 7, store)
          const resumed = first ?? (await runtime.resume(handle.id, { force: true }).done)
          expect(told(await toItsEnd(runtime, resumed))).toEqual(expected)
          expect(await tasksIn(store, handle.id)).toEqual([...oracle.tasks].sort())
          await expectSound(store, handle.id)
        }
      },
    ),
    { numRuns: rounds(60) },
  )
})
