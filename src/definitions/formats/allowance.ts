import { listKnownNames } from "../../ground/errors.ts"
import type { RunLimits } from "../../ground/limits.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import { convertUnits, keepExtension } from "./fields/common.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"

const allowance = "budget"

/** The limit that each part of `budget` sets, and the amount that 1 stands for. */
const parts: ReadonlyMap<string, { into: keyof RunLimits; unit: number; whole: boolean }> = new Map([
  ["maxSteps", { into: "maxTurns", unit: 1, whole: true }],
  ["maxTokens", { into: "maxTokens", unit: 1, whole: true }],
  ["maxSeconds", { into: "timeout", unit: 1_000, whole: false }],
  ["maxCost", { into: "maxCost", unit: 1, whole: false }],
])

/** `budget` of a spec: the most that a run may consume. */
export function defineAllowanceField(): Field<JsonMap & Json> {
  return {
    key: allowance,
    doc: `The most that a run may consume: ${[...parts.keys()].join(", ")}.`,
    type: { type: "either", of: [{ type: "map" }, { type: "null" }] },
    otherwise: "the limits of the configuration",
    into: "limits",
    parts: Object.fromEntries([...parts].map(([key, { into }]) => [`limits.${into}`, [key]])),
    read: (draft, value, reading) => {
      for (const [key, amount] of Object.entries(value ?? {})) readPart(draft, key, amount, reading)
    },
    write: ({ limits }) => {
      const amounts = [...parts].flatMap(([key, { into, unit }]) =>
        limits[into] === undefined ? [] : [[key, limits[into] / unit] as const],
      )
      return amounts.length > 0 ? Object.fromEntries(amounts) : undefined
    },
  }
}

function readPart(draft: Draft, key: string, amount: Json, { report }: FieldReading): void {
  const part = parts.get(key)
  if (amount === null) return
  if (key === "deadline") {
    keepExtension(draft, "subagent-spec", { [allowance]: { deadline: amount } })
    report({
      code: "limit-unsupported",
      severity: "warning",
      message:
        "`budget.deadline` is kept and has no effect: limits in cadre are amounts, not points in time. Use `maxSeconds` instead.",
      at: { type: "key", path: [allowance, key] },
    })
  } else if (!part)
    report({
      code: "limit-unknown",
      severity: "error",
      message: `Unknown limit \`budget.${key}\`: it would limit nothing. ${listKnownNames(key, parts.keys())}`,
      at: { type: "key", path: [allowance, key] },
    })
  else if (typeof amount !== "number" || amount <= 0 || (part.whole && !Number.isInteger(amount)))
    report({
      code: "limit-invalid",
      severity: "error",
      message: `\`budget.${key}\` must be a positive ${part.whole ? "whole " : ""}number, but it is ${JSON.stringify(amount)}. 0 does not mean unlimited: remove the key to get the default.`,
      at: { type: "value", path: [allowance, key] },
    })
  else
    draft.limits = {
      ...draft.limits,
      [part.into]: Math.min(convertUnits(amount, part.unit), Number.MAX_SAFE_INTEGER),
    }
}
