import { findFacts } from "./facts/facts.ts"

/** A model that its provider no longer serves, or soon will not. */
export interface RetiringModel {
  /** Such as `anthropic/claude-opus-4-20250514`. */
  readonly id: string
  readonly state: "retired" | "soon"
  readonly on: string
  /** The first successor that is still served, by the provider's own advice. */
  readonly successor?: string
  readonly source: string
}

/** The number of days before its retirement from which a model is reported. */
const noticeDays = 60

/** The retirement of a model. Undefined: no retirement is known, or it is further away than the notice. */
export function findRetirement(provider: string, model: string, now: number): RetiringModel | undefined {
  const facts = findFacts(provider, model)
  if (facts?.retired === undefined) return undefined
  const { on } = facts.retired
  const daysLeft = daysUntil(on, now)
  if (daysLeft > noticeDays) return undefined
  const successor = livingSuccessor(provider, facts.retired.successor, now)
  return {
    id: `${provider}/${model}`,
    state: daysLeft > 0 ? "soon" : "retired",
    on,
    ...(successor !== undefined && { successor }),
    source: facts.sources.retired!,
  }
}

/** Describes a retirement, in words that follow the name of the agent. */
export function describeRetirement({ id, state, on, successor, source }: RetiringModel): string {
  const sentence =
    state === "retired"
      ? `${id} was retired on ${on}, so its provider refuses requests`
      : `${id} will be retired on ${on}; from then on its provider refuses requests`
  const advice =
    successor === undefined ? "Choose another model." : `Its provider recommends ${successor} instead.`
  return `${sentence}. ${advice} Source: ${source}.`
}

/** The successor that a provider named long ago may be retired itself. */
function livingSuccessor(provider: string, first: string | undefined, now: number): string | undefined {
  let successor = first
  for (let steps = 0; successor !== undefined && steps < 10; steps++) {
    const next = findFacts(provider, successor)?.retired
    if (next === undefined || daysUntil(next.on, now) > noticeDays) return successor
    successor = next.successor
  }
  return undefined
}

const daysUntil = (day: string, now: number): number => Math.ceil((Date.parse(day) - now) / millisecondsADay)

const millisecondsADay = 24 * 60 * 60 * 1000
