import { type Agent, type AgentInput, defineAgent, type TypedAgent } from "../../agent/agent.ts"
import type { Pipeline, PipelineStep } from "../../agent/pipeline.ts"
import { CadreError, StartError, type StartProblem } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { checkPipeline } from "./check.ts"
import type { KnownAgents } from "./check-text.ts"
import { readInputs } from "./inputs.ts"
import type { PipelineProblem } from "./problem.ts"

/** A pipeline as it is written in code. */
export interface PipelineInput<Value = Json>
  extends Omit<AgentInput<Value>, "instructions" | "pipeline" | "skills" | "template" | "context"> {
  steps: readonly PipelineStep[]
  /** A JSON Schema of an object, or types by name: `{ goal: "string", paths: "string[]", depth: "number?" }`. */
  inputs?: { readonly [name: string]: Json }
  /** What it ends with, by name: texts are templates. Left out: what its last step gave. */
  outputs?: { readonly [name: string]: Json }
}

/** Checks a pipeline written in code: an agent whose runs follow steps. Throws AGENT_INVALID with every problem at once. */
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

/** Throws AGENT_INVALID where something is known to be wrong with an agent's pipeline. */
export function requirePipeline(agent: Agent, agents?: KnownAgents): void {
  const found = checkPipeline(agent, agents).filter(({ code }) => code !== "pipeline-wait")
  if (found.length === 0) return
  throw new StartError(found.map(problemOf), { message: inWords(agent.name, found.map(said)) })
}

/** Of an agent that is there but not trusted nobody is told more than that it is missing. */
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

const said = ({ path, message }: PipelineProblem): string => {
  const [part, ...rest] = path
  const place = rest.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("")
  return message.startsWith("`pipeline") ? message : `${part}${place}: ${message}`
}

const invalid = (name: string, problems: readonly string[]): CadreError =>
  new CadreError("AGENT_INVALID", inWords(name, problems))

const inWords = (name: string, problems: readonly string[]): string =>
  `Pipeline ${JSON.stringify(name)}: ${problems.map((text) => text.replace(/\.$/, "")).join("; ")}.`
