import type { Agent } from "../../../agent/agent.ts"
import { placeOf } from "../../formats/format.ts"
import { type Place, placeInside } from "../../formats/problem.ts"
import { checkPipeline } from "../../pipelines/check.ts"
import type { Finding } from "../../pipelines/finding.ts"
import type { Subject, Surroundings } from "../rule.ts"

/** Tells what is wrong with an agent's pipeline under one code. It is looked at once for all rules. */
export function reportPipeline(subject: Subject, surroundings: Surroundings, code: Finding["code"]): void {
  if (!subject.agent.pipeline) return
  for (const finding of findingsOf(subject.agent, surroundings))
    if (finding.code === code)
      subject.report(() => ({ message: finding.message, at: pipelinePlace(subject, finding) }))
}

const known = new WeakMap<Surroundings, WeakMap<Agent, readonly Finding[]>>()

function findingsOf(agent: Agent, surroundings: Surroundings): readonly Finding[] {
  const ofAgents = known.get(surroundings) ?? new WeakMap<Agent, readonly Finding[]>()
  known.set(surroundings, ofAgents)
  const before = ofAgents.get(agent)
  if (before) return before
  const { agents } = surroundings
  const found = checkPipeline(agent, { find: (name) => agents.get(name), names: () => agents.keys() })
  ofAgents.set(agent, found)
  return found
}

/** Where it stands in a file of the agent's format. */
function pipelinePlace({ format }: Subject, { path, about, inside }: Finding): Place {
  const [part, ...rest] = path
  const place = placeOf(format, `pipeline.${part}`)
  if (place.type !== "value") return place
  const whole = [...place.path, ...rest]
  return inside
    ? placeInside(whole, inside.text, inside.offset, inside.length)
    : { type: about ?? "value", path: whole }
}
