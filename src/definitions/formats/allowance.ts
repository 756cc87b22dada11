import { knownNames } from "../../ground/errors.ts"
import type { Limits } from "../../ground/limits.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { inUnits, keep } from "./fields/common.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"

const allowance = "budget"

/** What each part bounds here, and how much one of it is. */
const parts: ReadonlyMap<string, { into: keyof Limits; unit: number; whole: boolean }> = new Map([
  ["maxSteps", { into: "maxTurns", unit: 1, whole: true }],
  ["maxTokens", { into: "maxTokens", unit: 1, whole: true }],
  ["maxSeconds", { into: "timeout", unit: 1_000, whole: false }],
  ["maxCost", { into: "maxCost", unit: 1, whole: false }],
])

/** `budget` of a spec: what a run may consume. */
export function allowanceField(): Field<JsonMap & Json> {
  return {
    key: allowance,
    doc: `What a run may consume: ${[...parts.keys()].join(", ")}.`,
    type: { type: "either", of: [{ type: "map" }, { type: "null" }] },
    otherwise: "the limits of the configuration",
    into: "limits",
    parts: Object.fromEntries([...parts].map(([key, { into }]) => [`limits.${into}`, [key]])),
    read: (draft, value, reading) => {
      for (const [key, amount] of Object.entries(value ?? {})) readPart(draft, key, amount, reading)
    },
    write: ({ limits }) => {
      const said = [...parts].flatMap(([key, { into, unit }]) =>
        limits[into] === undefined ? [] : [[key, limits[into] / unit] as const],
      )
      return said.length > 0 ? Object.fromEntries(said) : undefined
    },
  }
}

function readPart(draft: Draft, key: string, amount: Json, { report }: FieldReading): void {
  const part = parts.get(key)
  if (amount === null) return
  if (key === "deadline") {
    keep(draft, "subagent-spec", { [allowance]: { deadline: amount } })
    report({
      code: "limit-unsupported",
      severity: "warning",
      message:
        "`budget.deadline` is a moment, and limits here are amounts: it is kept and stops nothing. Say `maxSeconds` instead.",
      at: { type: "key", path: [allowance, key] },
    })
  } else if (!part)
    report({
      code: "limit-unknown",
      severity: "error",
      message: `There is no \`budget.${key}\`, so it would bound nothing. ${knownNames(key, parts.keys())}`,
      at: { type: "key", path: [allowance, key] },
    })
  else if (typeof amount !== "number" || amount <= 0 || (part.whole && !Number.isInteger(amount)))
    report({
      code: "limit-invalid",
      severity: "error",
      message: `\`budget.${key}\` must be a positive ${part.whole ? "whole " : ""}number, but it is ${JSON.stringify(amount)}. 0 never means unlimited: leave it out for the default.`,
      at: { type: "value", path: [allowance, key] },
    })
  else
    draft.limits = {
      ...draft.limits,
      [part.into]: Math.min(inUnits(amount, part.unit), Number.MAX_SAFE_INTEGER),
    }
}
