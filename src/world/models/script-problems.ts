import { listKnownNames } from "../../ground/errors.ts"
import { anyText, fitValue, type ValueType } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"

/** The problems of a model script that was read from a file, each with its place, such as `lead[0].calls[1]`. */
export function findModelScriptProblems(script: Json): readonly string[] {
  if (!isMap(script)) return [`A script must be a map of agents, not ${kindOf(script)}.`]
  return Object.entries(script).flatMap(([agent, turns]) =>
    Array.isArray(turns)
      ? turns.flatMap((turn, index) => findTurnProblems(turn, `${agent}[${index}]`))
      : [`${agent} must be a list of turns, not ${kindOf(turns)}.`],
  )
}

function findTurnProblems(turn: Json, place: string): readonly string[] {
  const problems = findKeyProblems(turn, place, turnKeys)
  if (problems.length > 0 || !isMap(turn)) return problems
  const { calls = [], error, usage } = turn
  return [
    ...(calls as readonly Json[]).flatMap((call, index) =>
      findCallProblems(call, `${place}.calls[${index}]`),
    ),
    ...(error === undefined ? [] : findKeyProblems(error, `${place}.error`, errorKeys)),
    ...(isMap(usage) ? findKeyProblems(usage, `${place}.usage`, usageKeys) : []),
  ]
}

function findCallProblems(call: Json, place: string): readonly string[] {
  const problems = findKeyProblems(call, place, callKeys)
  if (problems.length > 0 || !isMap(call) || call.tool !== undefined) return problems
  return [`${place} has no \`tool\`.`]
}

function findKeyProblems(value: Json, place: string, keys: ReadonlyMap<string, ValueType>) {
  if (!isMap(value)) return [`${place} must be a map, not ${kindOf(value)}.`]
  return Object.entries(value).flatMap(([name, entry]) => {
    const type = keys.get(name)
    if (!type) return [`${place} has an unknown key \`${name}\`. ${listKnownNames(name, keys.keys())}`]
    const fit = fitValue(type, entry)
    return "expected" in fit ? [`${place}.${name} must be ${fit.expected}.`] : []
  })
}

function kindOf(value: Json): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "a map" : `a ${typeof value}`
}

const atLeastZero: ValueType = { type: "number", minimum: 0 }
const oneOf = (...of: string[]): ValueType => ({ type: "choice", of })

const turnKeys: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ["match", anyText],
  ["text", anyText],
  ["calls", { type: "list" }],
  ["usage", { type: "either", of: [{ type: "map" }, oneOf("unreported")] }],
  ["stop", oneOf("end", "calls", "length", "filter", "other")],
  ["finish", anyText],
  ["error", { type: "map" }],
  ["delayMs", atLeastZero],
])

const callKeys: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ["tool", anyText],
  ["input", { type: "any" }],
  ["arguments", anyText],
  ["id", anyText],
])

const errorKeys: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  [
    "kind",
    oneOf("rate-limit", "overloaded", "network", "timeout", "rejected", "overflow", "protocol", "aborted"),
  ],
  ["message", anyText],
  ["retryable", { type: "flag" }],
  ["retryAfter", atLeastZero],
  ["unknownModel", { type: "flag" }],
])

const usageKeys: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  ["inputTokens", atLeastZero],
  ["outputTokens", atLeastZero],
  ["cachedTokens", atLeastZero],
  ["reasoningTokens", atLeastZero],
  ["cost", atLeastZero],
  ["atLeast", { type: "map" }],
])
