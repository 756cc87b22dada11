import { isMap, type JsonMap } from "../../ground/message.ts"
import type { ListedFacts } from "./facts/table.ts"

/** Parameters and effort for every request. */
export interface RequestExtras {
  readonly parameters?: JsonMap
  readonly effort?: string | number
}

/** Keeps what the model accepts, by the tables that ship. Every omission and change is reported with `warn`. */
export function keepAcceptedExtras(
  id: string,
  facts: ListedFacts,
  request: RequestExtras,
  warn: (message: string) => void,
): RequestExtras {
  const effort = request.effort === undefined ? undefined : acceptedEffort(id, facts, request.effort, warn)
  const parameters = request.parameters && acceptedParameters(id, facts, request.parameters, effort, warn)
  return { ...(parameters && { parameters }), ...(effort !== undefined && { effort }) }
}

function acceptedParameters(
  id: string,
  { refuses = [], refusesWhileReasoning = [], refusesWhileThinking = [], oneOf = [], sources }: ListedFacts,
  parameters: JsonMap,
  effort: string | number | undefined,
  warn: (message: string) => void,
): JsonMap | undefined {
  const isReasoning = (effort ?? parameters.reasoning_effort) !== "none"
  const isThinking =
    (typeof effort === "number" && effort > 0 && parameters.thinking === undefined) ||
    (isMap(parameters.thinking) && ["enabled", "adaptive"].includes(String(parameters.thinking.type)))
  const keptEntries = Object.entries(parameters).filter(([name, value]) => {
    const isOneOf = (refused: readonly string[]) => refused.some((one) => matchesParameter(one, name, value))
    const always = isOneOf(refuses)
    const [unless, source] = always
      ? ["", sources.refuses]
      : isReasoning && isOneOf(refusesWhileReasoning)
        ? [" unless its effort is `none`", sources.refusesWhileReasoning]
        : isThinking && isOneOf(refusesWhileThinking) && !isAllowedWhileThinking(name, value)
          ? [" while it thinks", sources.refusesWhileThinking]
          : []
    if (source === undefined) return true
    warn(
      `the parameter ${JSON.stringify(name)} is not sent: ${id} refuses it${unless} (source: ${source}). Remove it, or choose another model.`,
    )
    return false
  })
  const [first, ...others] = oneOf.filter((name) =>
    keptEntries.some(([one, value]) => one === name && value !== null),
  )
  for (const name of others)
    warn(
      `the parameter ${JSON.stringify(name)} is not sent: ${id} does not accept it together with ${JSON.stringify(first)} (source: ${sources.oneOf}). Remove one of the two.`,
    )
  const sentEntries = keptEntries.filter(([name]) => !others.includes(name))
  return sentEntries.length > 0 ? Object.fromEntries(sentEntries) : undefined
}

/** While Claude thinks, it accepts only a temperature of 1 and a `top_p` from 0.95. */
const isAllowedWhileThinking = (name: string, value: unknown): boolean =>
  (name === "temperature" && value === 1) || (name === "top_p" && Number(value) >= 0.95)

/**
 * True if an entry of a table means this parameter. `thinking.budget_tokens` means a `thinking` with a budget. Packages
 * of the AI SDK write `topP` for `top_p`.
 */
function matchesParameter(refused: string, name: string, value: unknown): boolean {
  const [outer, inner] = refused.split(".")
  if (foldName(outer!) !== foldName(name)) return false
  return (
    inner === undefined ||
    (isMap(value) && Object.keys(value).some((key) => foldName(key) === foldName(inner)))
  )
}

const foldName = (name: string): string => name.replaceAll("_", "").toLowerCase()

function acceptedEffort(
  id: string,
  { efforts, refuses = [], sources }: ListedFacts,
  effort: string | number,
  warn: (message: string) => void,
): string | number | undefined {
  if (typeof effort === "number") {
    if (!refuses.includes("thinking.budget_tokens") || efforts === undefined) return effort
    const word = nearest(efforts, Math.log(Math.max(effort, 1)), (one) =>
      Math.log(tokensByEffort[one] ?? Number.NaN),
    )
    warn(
      `an effort of ${effort} tokens is sent as \`${word}\`: ${id} refuses thinking budgets (source: ${sources.refuses}). Write one of ${efforts.join(", ")}.`,
    )
    return word
  }
  if (efforts === undefined || efforts.includes(effort)) return effort
  const rank = order.indexOf(effort)
  const word = rank < 0 ? undefined : nearest(efforts, rank, rankOf)
  const accepted = efforts.length > 0 ? `accepts only ${efforts.join(", ")}` : "accepts no effort in words"
  warn(
    `the effort ${JSON.stringify(effort)} is ${word === undefined ? "not sent" : `sent as \`${word}\``}: ${id} ${accepted} (source: ${sources.efforts}).`,
  )
  return word
}

/** The rank of an effort. Undefined: the word is the provider's own. */
const rankOf = (word: string): number | undefined => (order.includes(word) ? order.indexOf(word) : undefined)

const order = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/**
 * The thinking budgets that `@earendil-works/pi-ai` 1.5.0 uses for these words, for models that accept only budgets.
 */
const tokensByEffort: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
}

/** Finds the nearest word. Of two equally near words, the one that thinks longer wins. */
function nearest(
  words: readonly string[],
  target: number,
  placeOf: (word: string) => number | undefined,
): string | undefined {
  let best: { readonly word: string; readonly distance: number } | undefined
  for (const word of words) {
    const distance = Math.abs((placeOf(word) ?? Number.NaN) - target)
    if (distance <= (best?.distance ?? Number.POSITIVE_INFINITY)) best = { word, distance }
  }
  return best?.word
}
