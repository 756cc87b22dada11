import { type Agent, type AgentInput, defineAgent, type TypedAgent } from "../../agent/agent.ts"
import type { Pipeline, PipelineStep } from "../../agent/pipeline.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { checkPipeline } from "./check.ts"
import type { KnownAgents } from "./check-text.ts"
import { readInputs } from "./inputs.ts"
import type { PipelineProblem } from "./problem.ts"

/** The definition of a pipeline in code. */
export interface PipelineInput<Value = Json>
  extends Omit<AgentInput<Value>, "instructions" | "pipeline" | "skills" | "template" | "context"> {
  /** The steps in the order in which they run. Each `id` must be unique. */
  steps: readonly PipelineStep[]
  /** A JSON Schema of an object, or types by name: `{ goal: "string", paths: "string[]", depth: "number?" }`. */
  inputs?: { readonly [name: string]: Json }
  /** The result of the pipeline, by name. Texts are templates. Left out: the result of its last step. */
  outputs?: { readonly [name: string]: Json }
}

/**
 * Checks a pipeline written in code: an agent whose runs follow steps. Throws AGENT_INVALID with every
 * problem at once.
 *
 * @example
 * ```ts
 * import { definePipeline } from "cadre/pipeline"
 *
 * const write = { id: "notes", agent: "writer", prompt: "Write the notes of {{ inputs.version }}." }
 * const gate = { id: "gate", approval: "Publish {{ steps.notes.output }}?" }
 * const release = definePipeline({ name: "release", inputs: { version: "string" }, steps: [write, gate] })
 * ```
 */
export function definePipeline<Value = Json>(input: PipelineInput<Value>): TypedAgent<Value> {
  const { steps, inputs, outputs, ...rest } = input
  const read = inputs && readInputs(inputs)
  if (read && "problems" in read)
    throw invalid(
      input.name,
      read.problems.map(({ name, message }) => `\`inputs.${name}\` ${message}`),
    )
  const pipeline: Pipeline = { ...(read && { inputs: read.schema }), steps, ...(outputs && { outputs }) }
  const agent = defineAgent<Value>({ ...rest, instructions: "", pipeline })
  requirePipeline(agent)
  return agent
}

/** Throws AGENT_INVALID if an agent's pipeline has problems. A wait that is too long is only a warning. */
export function requirePipeline(agent: Agent, agents?: KnownAgents): void {
  const problems = checkPipeline(agent, agents).filter(({ code }) => code !== "pipeline-wait")
  if (problems.length === 0) return
  throw new StartError(problems.map(problemOf), {
    message: inWords(agent.name, problems.map(describeProblem)),
  })
}

/** An agent that exists but is not trusted is reported as missing, so `pipeline-agent` depends on the machine (`here`). */
const problemOf = ({
  code,
  path: [part, ...path],
  about,
  offset,
  message,
}: PipelineProblem): StartProblem => ({
  code: "AGENT_INVALID",
  kind: code === "pipeline-agent" ? "here" : "written",
  rule: code,
  part: `pipeline.${part}`,
  path,
  ...(about && { about }),
  ...(offset !== undefined && { offset }),
  message,
})

const describeProblem = ({ path, message }: PipelineProblem): string => {
  const [part, ...rest] = path
  const place = rest.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")
  return message.startsWith("`pipeline") ? message : `${part}${place}: ${message}`
}

const invalid = (name: string, problems: readonly string[]): CadreError =>
  new CadreError("AGENT_INVALID", inWords(name, problems))

const inWords = (name: string, problems: readonly string[]): string =>
  `Pipeline ${JSON.stringify(name)}: ${problems.map((text) => text.replace(/\.$/, "")).join("; ")}.`
