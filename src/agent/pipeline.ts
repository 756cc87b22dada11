import type { Json, JsonMap } from "../ground/message.ts"
import type { JsonSchema } from "../ground/schema/schema.ts"

/** The steps of an agent's runs, in place of asking a model: they hand work to other agents. Plain data. */
export interface Pipeline {
  /** A JSON Schema of the object that a task gives. Absent: the pipeline takes any task, as `task`. */
  readonly inputs?: JsonSchema
  /** The steps, in the order in which they run. */
  readonly steps: readonly PipelineStep[]
  /** The outputs by name; texts are templates. Absent: the output of the last step. */
  readonly outputs?: JsonMap
}

/** One step. Its `id` is unique in the pipeline; later steps find its result as `steps.ID`. */
export type PipelineStep = AgentStep | ParallelStep | MapStep | LoopStep | ApprovalStep | WaitStep

interface StepBase {
  readonly id: string
  /** The step is skipped if this expression does not hold. */
  readonly when?: string
  /** The pipeline goes on if the step fails. Absent: the pipeline fails. */
  readonly on_error?: "continue"
}

/** Work for an agent. Texts are templates. */
export interface AgentWork {
  readonly agent: string
  readonly prompt?: string
  /** In place of a prompt: an object that is passed on as JSON, such as the inputs of another pipeline. */
  readonly inputs?: JsonMap
  readonly model?: string
  /** Milliseconds. */
  readonly timeout?: number
  /** Only variables that the agent lists in `callVariables`. */
  readonly variables?: JsonMap
}

export interface AgentStep extends StepBase, AgentWork {}

/** All steps at once. A failed step does not stop the others. */
export interface ParallelStep extends StepBase {
  readonly parallel: readonly PipelineStep[]
}

/**
 * The same work for every item of a list: an expression, or the list itself. Results are in the order of the
 * list.
 */
export interface MapStep extends StepBase, Partial<AgentWork> {
  readonly map: string | readonly Json[]
  /** The name of the item in its texts. Default: `item`. Its position, from 0, is `index`. */
  readonly as?: string
  /** The number of items that are worked on at once. Default: all. */
  readonly at_once?: number
  /** Steps in place of an agent. */
  readonly steps?: readonly PipelineStep[]
}

/** Rounds of steps until an expression holds, up to a maximum. In them `round` counts from 1. */
export interface LoopStep extends StepBase {
  readonly loop: { readonly until: string; readonly max: number }
  readonly steps: readonly PipelineStep[]
}

/** Rests until a person approves. */
export interface ApprovalStep extends StepBase {
  readonly approval: string
  /** Milliseconds after which a missing answer counts as a no. */
  readonly timeout?: number
}

/** A pause in milliseconds, without a slot. */
export interface WaitStep extends StepBase {
  readonly wait: number
}

/** Names with a meaning in every text of a pipeline. */
export const pipelineNames = ["inputs", "steps", "task", "variables"] as const
/** Names with a meaning in a map or a loop. */
export const innerNames = ["index", "round", "previous"] as const

/** The kind of a step. */
export type StepKind = (typeof stepKinds)[number] | "agent"

export const stepKinds = ["parallel", "map", "loop", "approval", "wait"] as const

export const getStepKind = (step: object): StepKind => stepKinds.find((kind) => kind in step) ?? "agent"

/** The steps inside of a step, with their key. */
export function getInnerSteps(step: PipelineStep): {
  readonly key: "parallel" | "steps"
  readonly steps: readonly PipelineStep[]
} {
  if ("parallel" in step) return { key: "parallel", steps: step.parallel }
  return { key: "steps", steps: "steps" in step && step.steps ? step.steps : [] }
}

/** Every agent that a step names. */
export const listStepAgents = (steps: readonly PipelineStep[]): readonly string[] => [
  ...new Set(
    steps.flatMap((step) => [
      ...("agent" in step && step.agent !== undefined ? [step.agent] : []),
      ...listStepAgents(getInnerSteps(step).steps),
    ]),
  ),
]
