import type { Json, JsonMap } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"

/** What an agent's runs do in place of asking a model: steps that hand work to other agents. Plain data. */
export interface Pipeline {
  /** A JSON Schema of the object that a task gives. Left out: it takes any task, as `task`. */
  readonly inputs?: JsonSchema
  readonly steps: readonly PipelineStep[]
  /** What it ends with, by name: texts are templates. Left out: what its last step gave. */
  readonly outputs?: JsonMap
}

/** One step. Its `id` is unique in the pipeline; later steps find what it gave as `steps.ID`. */
export type PipelineStep = AgentStep | ParallelStep | MapStep | LoopStep | ApprovalStep | WaitStep

interface StepBase {
  readonly id: string
  /** It is skipped where this expression does not hold. */
  readonly when?: string
  /** The pipeline goes on where it fails. Left out: the pipeline fails. */
  readonly on_error?: "continue"
}

/** Work for an agent. Texts are templates. */
export interface Handing {
  readonly agent: string
  readonly prompt?: string
  /** In place of a prompt: an object that is handed over as JSON, such as the inputs of another pipeline. */
  readonly inputs?: JsonMap
  readonly model?: string
  /** Milliseconds. */
  readonly timeout?: number
  /** Only those that the agent lists in `callVariables`. */
  readonly variables?: JsonMap
}

export interface AgentStep extends StepBase, Handing {}

/** All of them at once. One that fails stops no other. */
export interface ParallelStep extends StepBase {
  readonly parallel: readonly PipelineStep[]
}

/** The same for every item of a list: an expression, or the list itself. Results come in the order of the list. */
export interface MapStep extends StepBase, Partial<Handing> {
  readonly map: string | readonly Json[]
  /** What the item is called in it. Default: `item`. Its place, from 0, is `index`. */
  readonly as?: string
  /** How many items are worked on at once. Default: all. */
  readonly at_once?: number
  /** In place of an agent. */
  readonly steps?: readonly PipelineStep[]
}

/** Rounds of steps until an expression holds, and at most so many. In them `round` counts from 1. */
export interface LoopStep extends StepBase {
  readonly loop: { readonly until: string; readonly max: number }
  readonly steps: readonly PipelineStep[]
}

/** Rests until a person says yes. */
export interface ApprovalStep extends StepBase {
  readonly approval: string
  /** Milliseconds until nobody's answer is a no. */
  readonly timeout?: number
}

/** Milliseconds, for which it holds no slot. */
export interface WaitStep extends StepBase {
  readonly wait: number
}

/** Names that mean something in every text of a pipeline. */
export const pipelineNames = ["inputs", "steps", "task", "variables"] as const
/** Those that mean something in a map or a loop. */
export const innerNames = ["index", "round", "previous"] as const

/** Which of the kinds a step is. */
export type StepKind = (typeof stepKinds)[number] | "agent"

export const stepKinds = ["parallel", "map", "loop", "approval", "wait"] as const

export const kindOfStep = (step: object): StepKind => stepKinds.find((kind) => kind in step) ?? "agent"

/** The steps inside of a step, with the key that they stand below. */
export function stepsIn(step: PipelineStep): {
  readonly key: "parallel" | "steps"
  readonly steps: readonly PipelineStep[]
} {
  if ("parallel" in step) return { key: "parallel", steps: step.parallel }
  return { key: "steps", steps: "steps" in step && step.steps ? step.steps : [] }
}

/** Every agent that some step names. */
export const agentsOf = (steps: readonly PipelineStep[]): readonly string[] => [
  ...new Set(
    steps.flatMap((step) => [
      ...("agent" in step && step.agent !== undefined ? [step.agent] : []),
      ...agentsOf(stepsIn(step).steps),
    ]),
  ),
]
