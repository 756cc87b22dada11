import type { Agent } from "../../../agent/agent.ts"
import { getValueAt, type Json } from "../../../ground/message.ts"
import { placeOfPart } from "../../formats/format.ts"
import { type ProblemPlace, placeInside } from "../../formats/problem.ts"
import { checkPipeline } from "../../pipelines/check.ts"
import type { PipelineProblem } from "../../pipelines/problem.ts"
import type { RuleFacts, Subject } from "../rule.ts"

/** Reports the problems of an agent's pipeline that have one code. The pipeline is checked once for all rules. */
export function reportPipeline(
  subject: Subject,
  surroundings: RuleFacts,
  code: PipelineProblem["code"],
): void {
  if (!subject.agent.pipeline) return
  for (const finding of findingsOf(subject.agent, surroundings))
    if (finding.code === code)
      subject.report(() => ({ message: finding.message, at: pipelinePlace(subject, finding) }))
}

const findingsCache = new WeakMap<RuleFacts, WeakMap<Agent, readonly PipelineProblem[]>>()

function findingsOf(agent: Agent, surroundings: RuleFacts): readonly PipelineProblem[] {
  const ofAgents = findingsCache.get(surroundings) ?? new WeakMap<Agent, readonly PipelineProblem[]>()
  findingsCache.set(surroundings, ofAgents)
  const before = ofAgents.get(agent)
  if (before) return before
  const { agents } = surroundings
  const problems = checkPipeline(agent, { find: (name) => agents.get(name), names: () => agents.keys() })
  ofAgents.set(agent, problems)
  return problems
}

/** The place of a problem in a file of the agent's format. */
function pipelinePlace(
  { agent, format }: Subject,
  { path, about, offset, length = 1 }: PipelineProblem,
): ProblemPlace {
  const [part, ...rest] = path
  const place = placeOfPart(format, `pipeline.${part}`)
  if (place.type !== "value") return place
  const whole = [...place.path, ...rest]
  const text = offset === undefined ? undefined : getValueAt(agent.pipeline as unknown as Json, path)
  return typeof text === "string"
    ? placeInside(whole, text, offset!, length)
    : { type: about ?? "value", path: whole }
}
