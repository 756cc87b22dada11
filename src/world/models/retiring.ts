import type { ModelChoice } from "../../agent/agent.ts"
import type { WantedModel } from "../../agent/model.ts"
import { targetsOf } from "./choice.ts"
import { type RetiringModel, retirementOf, retirementText } from "./retirement.ts"
import { attempted, choosingFor, type Settling } from "./settle.ts"

/** One name of a choice whose model is retired, or soon. */
export interface RetiringName {
  /** Of the rule that explains it. */
  readonly rule: "model-retired"
  readonly state: RetiringModel["state"]
  readonly message: string
  /** Which entry of the choice, where it is a list. */
  readonly index?: number
  /** The name as it is written. */
  readonly written: string
  /** What to write in its place. Absent: the name stands for the model, and what it stands for is written elsewhere. */
  readonly instead?: string
}

/** Which names of a choice are those of models that are retired, or soon. No key is needed. */
export function retiringNames(wanted: WantedModel, settling: Settling): readonly RetiringName[] {
  const { choice } = wanted
  const isList = Array.isArray(choice)
  const entries: readonly (ModelChoice | undefined)[] = isList ? choice : [choice]
  return entries.flatMap((entry, index) => {
    const found = retiringName(entry, wanted, settling)
    return found ? [{ ...found, ...(isList && { index }) }] : []
  })
}

function retiringName(
  choice: ModelChoice | undefined,
  wanted: WantedModel,
  settling: Settling,
): RetiringName | undefined {
  const written = nameIn(choice)
  if (written === undefined) return undefined
  const target = attempted(() =>
    targetsOf(
      choice,
      choosingFor(wanted, settling, () => {}),
    ),
  )?.[0]
  if (target === undefined || target.inherited || "name" in target.use || target.use.endpoint)
    return undefined
  const { provider, model } = target.use
  const retirement = retirementOf(provider, model, settling.now)
  if (retirement === undefined) return undefined
  const { state, successor } = retirement
  const start = written.trim().replace(/\[1m\]$/, "")
  const isWritten = start === model || start.endsWith(`:${model}`) || start.endsWith(`/${model}`)
  return {
    rule: "model-retired",
    state,
    message: isWritten
      ? retirementText(retirement)
      : `${JSON.stringify(written)} stands for a model with an end: ${retirementText(retirement)}`,
    written,
    ...(isWritten &&
      successor !== undefined && { instead: start.slice(0, start.length - model.length) + successor }),
  }
}

function nameIn(choice: ModelChoice | undefined): string | undefined {
  if (typeof choice === "string") return choice
  if (typeof choice !== "object" || choice === null || !("model" in choice)) return undefined
  return typeof choice.model === "string" ? choice.model : undefined
}
