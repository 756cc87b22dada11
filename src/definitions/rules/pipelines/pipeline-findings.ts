import type { Agent } from "../../../agent/agent.ts"
import { type Json, valueAt } from "../../../ground/message.ts"
import { placeOf } from "../../formats/format.ts"
import { type Place, placeInside } from "../../formats/problem.ts"
import { checkPipeline } from "../../pipelines/check.ts"
import type { PipelineProblem } from "../../pipelines/problem.ts"
import type { Subject, Surroundings } from "../rule.ts"

/** Tells what is wrong with an agent's pipeline under one code. It is looked at once for all rules. */
export function reportPipeline(
  subject: Subject,
  surroundings: Surroundings,
  code: PipelineProblem["code"],
): void {
  if (!subject.agent.pipeline) return
  for (const finding of findingsOf(subject.agent, surroundings))
    if (finding.code === code)
      subject.report(() => ({ message: finding.message, at: pipelinePlace(subject, finding) }))
}

const known = new WeakMap<Surroundings, WeakMap<Agent, readonly PipelineProblem[]>>()

function findingsOf(agent: Agent, surroundings: Surroundings): readonly PipelineProblem[] {
  const ofAgents = known.get(surroundings) ?? new WeakMap<Agent, readonly PipelineProblem[]>()
  known.set(surroundings, ofAgents)
  const before = ofAgents.get(agent)
  if (before) return before
  const { agents } = surroundings
  const found = checkPipeline(agent, { find: (name) => agents.get(name), names: () => agents.keys() })
  ofAgents.set(agent, found)
  return found
}

/** Where it stands in a file of the agent's format. */
function pipelinePlace(
  { agent, format }: Subject,
  { path, about, offset, length = 1 }: PipelineProblem,
): Place {
  const [part, ...rest] = path
  const place = placeOf(format, `pipeline.${part}`)
  if (place.type !== "value") return place
  const whole = [...place.path, ...rest]
  const text = offset === undefined ? undefined : valueAt(agent.pipeline as unknown as Json, path)
  return typeof text === "string"
    ? placeInside(whole, text, offset!, length)
    : { type: about ?? "value", path: whole }
}
