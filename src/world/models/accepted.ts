import { isMap, type JsonMap } from "../../ground/message.ts"
import type { ListedFacts } from "./facts/table.ts"

/** What is to be sent along with every request. */
export interface Wanted {
  readonly parameters?: JsonMap
  readonly effort?: string | number
}

/** What of it the model takes, by the tables that ship. Everything that is left out or changed is told. */
export function acceptedBy(
  id: string,
  facts: ListedFacts,
  wanted: Wanted,
  warn: (message: string) => void,
): Wanted {
  const effort = wanted.effort === undefined ? undefined : acceptedEffort(id, facts, wanted.effort, warn)
  const parameters = wanted.parameters && acceptedParameters(id, facts, wanted.parameters, effort, warn)
  return { ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
}

function acceptedParameters(
  id: string,
  { refuses = [], refusesWhileReasoning = [], refusesWhileThinking = [], oneOf = [], sources }: ListedFacts,
  parameters: JsonMap,
  effort: string | number | undefined,
  warn: (message: string) => void,
): JsonMap | undefined {
  const reasons = (effort ?? parameters.reasoning_effort) !== "none"
  const thinks =
    (typeof effort === "number" && effort > 0 && parameters.thinking === undefined) ||
    (isMap(parameters.thinking) && ["enabled", "adaptive"].includes(String(parameters.thinking.type)))
  const kept = Object.entries(parameters).filter(([name, value]) => {
    const isOneOf = (refused: readonly string[]) => refused.some((one) => isMeant(one, name, value))
    const always = isOneOf(refuses)
    const [unless, source] = always
      ? ["", sources.refuses]
      : reasons && isOneOf(refusesWhileReasoning)
        ? [" unless its effort is `none`", sources.refusesWhileReasoning]
        : thinks && isOneOf(refusesWhileThinking) && !isTakenWhileThinking(name, value)
          ? [" while it thinks", sources.refusesWhileThinking]
          : []
    if (source === undefined) return true
    warn(
      `the parameter ${JSON.stringify(name)} is left out, because ${id} refuses it${unless}, by ${source}. Remove it, or choose another model.`,
    )
    return false
  })
  const [first, ...others] = oneOf.filter((name) =>
    kept.some(([one, value]) => one === name && value !== null),
  )
  for (const name of others)
    warn(
      `the parameter ${JSON.stringify(name)} is left out, because ${id} does not take it beside ${JSON.stringify(first)}, by ${sources.oneOf}. Remove one of the two.`,
    )
  const taken = kept.filter(([name]) => !others.includes(name))
  return taken.length > 0 ? Object.fromEntries(taken) : undefined
}

/** Claude thinks at a temperature of 1 only, and with a `top_p` from 0.95. */
const isTakenWhileThinking = (name: string, value: unknown): boolean =>
  (name === "temperature" && value === 1) || (name === "top_p" && Number(value) >= 0.95)

/** `thinking.budget_tokens` is a `thinking` with a budget in it. Packages of the AI SDK write `topP` for `top_p`. */
function isMeant(refused: string, name: string, value: unknown): boolean {
  const [outer, inner] = refused.split(".")
  if (folded(outer!) !== folded(name)) return false
  return (
    inner === undefined || (isMap(value) && Object.keys(value).some((key) => folded(key) === folded(inner)))
  )
}

const folded = (name: string): string => name.replaceAll("_", "").toLowerCase()

function acceptedEffort(
  id: string,
  { efforts, refuses = [], sources }: ListedFacts,
  effort: string | number,
  warn: (message: string) => void,
): string | number | undefined {
  if (typeof effort === "number") {
    if (!refuses.includes("thinking.budget_tokens") || efforts === undefined) return effort
    const word = nearest(efforts, Math.log(Math.max(effort, 1)), (one) =>
      Math.log(tokensOf[one] ?? Number.NaN),
    )
    warn(
      `an effort of ${effort} tokens is sent as \`${word}\`, because ${id} refuses thinking budgets, by ${sources.refuses}. Write one of ${efforts.join(", ")}.`,
    )
    return word
  }
  if (efforts === undefined || efforts.includes(effort)) return effort
  const known = order.indexOf(effort)
  const word = known < 0 ? undefined : nearest(efforts, known, placeIn)
  const takes = efforts.length > 0 ? `takes ${efforts.join(", ")} only` : "takes no effort in words"
  warn(
    `the effort ${JSON.stringify(effort)} is ${word === undefined ? "left out" : `sent as \`${word}\``}, because ${id} ${takes}, by ${sources.efforts}.`,
  )
  return word
}

/** Undefined: a word of the provider's own. */
const placeIn = (word: string): number | undefined => (order.includes(word) ? order.indexOf(word) : undefined)

const order = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/** The thinking budgets that `@earendil-works/pi-ai` 1.5.0 gives these words where a model takes budgets alone. */
const tokensOf: Readonly<Record<string, number>> = { minimal: 1024, low: 2048, medium: 8192, high: 16_384 }

/** Of two that are as near, the one that thinks longer. */
function nearest(
  words: readonly string[],
  wanted: number,
  placeOf: (word: string) => number | undefined,
): string | undefined {
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const word of words) {
    const distance = Math.abs((placeOf(word) ?? Number.NaN) - wanted)
    if (distance <= (best?.distance ?? Number.POSITIVE_INFINITY)) best = { word, distance }
  }
  return best?.word
}
