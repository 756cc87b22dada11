import type { ModelChoice } from "../../agent/agent.ts"
import type { ModelRequirement } from "../../agent/model.ts"
import { resolveTargets } from "./choice.ts"
import { describeRetirement, findRetirement, type RetiringModel } from "./retirement.ts"
import { createChoosing, type ModelSettling, tryOrUndefined } from "./settle.ts"

/** A name in a choice whose model is retired, or will be soon. */
export interface RetiringName {
  /** The rule that explains it. */
  readonly rule: "model-retired"
  readonly state: RetiringModel["state"]
  readonly message: string
  /** The position in the choice, if that is a list. */
  readonly index?: number
  /** The name as it is written. */
  readonly written: string
  /** The replacement for the name. Absent: the name is an alias or preset, which is defined elsewhere. */
  readonly instead?: string
}

/** Finds the names in a choice whose models are retired, or will be soon. Needs no key. */
export function findRetiringNames(
  wanted: ModelRequirement,
  settling: ModelSettling,
): readonly RetiringName[] {
  const { choice } = wanted
  const isList = Array.isArray(choice)
  const entries: readonly (ModelChoice | undefined)[] = isList ? choice : [choice]
  return entries.flatMap((entry, index) => {
    const retiring = retiringName(entry, wanted, settling)
    return retiring ? [{ ...retiring, ...(isList && { index }) }] : []
  })
}

function retiringName(
  choice: ModelChoice | undefined,
  wanted: ModelRequirement,
  settling: ModelSettling,
): RetiringName | undefined {
  const nameText = nameIn(choice)
  if (nameText === undefined) return undefined
  const target = tryOrUndefined(() =>
    resolveTargets(
      choice,
      createChoosing(wanted, settling, () => {}),
    ),
  )?.[0]
  if (target === undefined || target.inherited || "name" in target.use || target.use.endpoint)
    return undefined
  const { provider, model } = target.use
  const retirement = findRetirement(provider, model, settling.now)
  if (retirement === undefined) return undefined
  const { state, successor } = retirement
  const start = nameText.trim().replace(/\[1m\]$/, "")
  const isWritten = start === model || start.endsWith(`:${model}`) || start.endsWith(`/${model}`)
  return {
    rule: "model-retired",
    state,
    message: isWritten
      ? describeRetirement(retirement)
      : `${JSON.stringify(nameText)} refers to a model with a retirement date: ${describeRetirement(retirement)}`,
    written: nameText,
    ...(isWritten &&
      successor !== undefined && { instead: start.slice(0, start.length - model.length) + successor }),
  }
}

function nameIn(choice: ModelChoice | undefined): string | undefined {
  if (typeof choice === "string") return choice
  if (typeof choice !== "object" || choice === null || !("model" in choice)) return undefined
  return typeof choice.model === "string" ? choice.model : undefined
}
