import { listKnownNames } from "../../../ground/errors.ts"
import { isMap, type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import type { HookEffect, LifecycleHook } from "../hook.ts"
import { readEffects } from "../read-effects.ts"
import { readNames } from "../read-names.ts"
import { describeUnsupportedAction } from "./actions.ts"
import { findTrigger, triggerNames } from "./events.ts"
import { type GobbyKeyPath, type GobbyReading, reportUnknownKeys } from "./reading.ts"
import { type Tracking, trackingActions } from "./track.ts"

/** Reads Gobby's observers, which record facts about calls, as hooks that set variables. */
export function readObservers(observers: Json, reading: GobbyReading): readonly LifecycleHook[] {
  if (Array.isArray(observers))
    return observers.flatMap((observer: Json, index) => readObserver(observer, ["observers", index], reading))
  reading.tell({ path: ["observers"], message: "`observers` must be a list, with a `-` before each entry." })
  return []
}

function readObserver(observer: Json, path: GobbyKeyPath, reading: GobbyReading): readonly LifecycleHook[] {
  if (!isMap(observer)) {
    reading.tell({ path, message: "an observer must be keys and values." })
    return []
  }
  reportUnknownKeys(
    "An observer",
    observer,
    ["name", "description", "on", "match", "set", "behavior"],
    path,
    reading,
  )
  const { behavior } = observer
  const setsVariable = ["on", "match", "set"].some((key) => observer[key] !== undefined)
  if (setsVariable !== (behavior === undefined)) {
    reading.tell({ path, message: "an observer has either a `behavior`, or `on` and `set`." })
    return []
  }
  return behavior === undefined ? setting(observer, path, reading) : behaving(behavior, path, reading)
}

const plans = "a run keeps the mode in which it was started"

function behaving(behavior: Json, path: GobbyKeyPath, reading: GobbyReading): readonly LifecycleHook[] {
  if (behavior === "detect_plan_mode") {
    reading.note({ path: [...path, "behavior"], message: describeUnsupportedAction(behavior, plans) })
    return []
  }
  const behaviors = ["mcp_call_tracking", "task_claim_tracking"]
  if (typeof behavior === "string" && behaviors.includes(behavior) && isTracking(behavior))
    return [hookOf(path, reading, { event: "after_tool", effects: [{ type: "track", as: behavior }] })]
  reading.tell({
    path: [...path, "behavior"],
    message: `there is no behavior ${JSON.stringify(behavior)}. ${listKnownNames(String(behavior), [...behaviors, "detect_plan_mode"])}`,
  })
  return []
}

const isTracking = (name: string): name is Tracking => (trackingActions as readonly string[]).includes(name)

function setting(
  { on, match, set }: JsonMap,
  path: GobbyKeyPath,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  const trigger = typeof on === "string" ? findTrigger(`on_${on}`) : undefined
  if (!trigger)
    reading.tell({
      path: [...path, "on"],
      message: `there is no event ${JSON.stringify(on ?? null)}. ${listKnownNames(
        String(on ?? ""),
        triggerNames.map((name) => name.replace(/^on_/, "")),
      )}`,
    })
  if (trigger?.type === "never")
    reading.note({ path: [...path, "on"], message: `This never happens here: ${trigger.why}.` })
  const filter = filterOf(match, [...path, "match"], reading)
  const effects = effectsOf(set, [...path, "set"], reading)
  return trigger?.type === "event" && filter && effects.length > 0
    ? [hookOf(path, reading, { event: trigger.event, ...filter, effects })]
    : []
}

function filterOf(
  match: Json | undefined,
  path: GobbyKeyPath,
  reading: GobbyReading,
): Partial<LifecycleHook> | undefined {
  if (match === undefined || match === null) return {}
  const { tool, mcp_server, mcp_tool } = mapOf(match)
  const texts = [tool, mcp_server, mcp_tool].filter((text) => text !== undefined)
  if (!isMap(match) || texts.some((text) => typeof text !== "string")) {
    reading.tell({ path, message: "`match` must have texts: `tool`, `mcp_server` and `mcp_tool`." })
    return undefined
  }
  reportUnknownKeys("`match`", match, ["tool", "mcp_server", "mcp_tool"], path, reading)
  const isOfServer = mcp_server !== undefined || mcp_tool !== undefined
  return {
    ...(tool !== undefined && readNames({ tools: tool, agents: undefined }, reading.tell)),
    ...(isOfServer && { mcpTools: [`${mcp_server ?? "*"}:${mcp_tool ?? "*"}`] }),
  }
}

function effectsOf(set: Json | undefined, path: GobbyKeyPath, reading: GobbyReading): readonly HookEffect[] {
  const values = Object.entries(mapOf(set ?? null)).map(([name, value]) => [name, meant(value)])
  return readEffects(
    { set_variable: Object.fromEntries(values) },
    { event: "after_tool", otherKeys: [], names: reading.names },
    ({ path: inner, ...problem }) => reading.tell({ ...problem, path: [...path, ...inner.slice(1)] }),
  )
}

/** Converts texts such as "true" or "3" to the values that they mean. */
function meant(value: Json): Json {
  if (typeof value !== "string") return value
  const word = value.trim().toLowerCase()
  if (word === "true" || word === "false") return word === "true"
  if (word === "null" || word === "none") return null
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : value
}

const hookOf = (
  path: GobbyKeyPath,
  { of }: GobbyReading,
  hook: Pick<LifecycleHook, "event" | "effects">,
): LifecycleHook => ({ name: `${of}: ${path.join(".")}`, path, words: "gobby", ...hook })
