import { factsOf } from "./facts/facts.ts"

/** A model that its provider no longer serves, or soon will not. */
export interface RetiringModel {
  /** Such as `anthropic/claude-opus-4-20250514`. */
  readonly id: string
  readonly state: "retired" | "soon"
  readonly on: string
  /** The first model after it that is still served, by the provider's own advice. */
  readonly successor?: string
  readonly source: string
}

/** How many days before its last one a model is told of. */
const noticeDays = 60

/** Undefined: it is served for longer than the notice, as far as is known. */
export function retirementOf(provider: string, model: string, now: number): RetiringModel | undefined {
  const facts = factsOf(provider, model)
  if (facts?.retired === undefined) return undefined
  const { on } = facts.retired
  const left = daysUntil(on, now)
  if (left > noticeDays) return undefined
  const successor = livingSuccessor(provider, facts.retired.successor, now)
  return {
    id: `${provider}/${model}`,
    state: left > 0 ? "soon" : "retired",
    on,
    ...(successor !== undefined && { successor }),
    source: facts.sources.retired!,
  }
}

/** In words that follow the name of whoever asks for it. */
export function retirementText({ id, state, on, successor, source }: RetiringModel): string {
  const said =
    state === "retired"
      ? `${id} was retired on ${on}, so its provider answers requests with an error`
      : `${id} is retired on ${on}; from then on its provider answers requests with an error`
  const instead =
    successor === undefined ? "Choose another model." : `Its provider names ${successor} in its place.`
  return `${said}. ${instead} Source: ${source}.`
}

/** What a provider named years ago may be retired itself. */
function livingSuccessor(provider: string, first: string | undefined, now: number): string | undefined {
  let successor = first
  for (let steps = 0; successor !== undefined && steps < 10; steps++) {
    const next = factsOf(provider, successor)?.retired
    if (next === undefined || daysUntil(next.on, now) > noticeDays) return successor
    successor = next.successor
  }
  return undefined
}

const daysUntil = (day: string, now: number): number => Math.ceil((Date.parse(day) - now) / millisecondsADay)

const millisecondsADay = 24 * 60 * 60 * 1000
