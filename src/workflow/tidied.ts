import { workflowParts } from "../formats/workflow-keys.ts"
import { effectNames } from "../lifecycle/read-effects.ts"
import { isMap, type Json } from "../message.ts"
import { refusedKeys } from "./read.ts"

type Values = { readonly [key: string]: Json }

/** Of Gobby's own files, without what they say besides; what forbids something in a step stays, and is refused there. */
export function tidied(value: Values): Values {
  const steps = Array.isArray(value.steps) ? value.steps.map(tidiedStep) : (value.steps ?? null)
  return { ...only(value, workflowParts.workflow), steps }
}

const stepKeys = [...workflowParts.step, ...Object.keys(refusedKeys).map((key) => ({ key }))]

const tidiedStep = (step: Json): Json => {
  const entries = isMap(step) ? Object.entries(only(step, stepKeys)) : undefined
  if (!entries) return step
  return Object.fromEntries(
    entries.map(([key, given]) => [
      key,
      Array.isArray(given) && key.startsWith("on_") ? given.filter(isFollowed) : given,
    ]),
  )
}

const only = (value: Values, keys: readonly { readonly key: string }[]): Values =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.some((one) => one.key === key)))

/** Gobby has actions of its own, which are passed over. */
const isFollowed = (entry: Json): boolean => {
  const { action } = isMap(entry) ? entry : {}
  return action === undefined || [...effectNames, "inject_message"].includes(String(action))
}
