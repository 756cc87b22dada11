import { findVariablesProblem } from "../../../agent/variable.ts"
import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import { isMap, type Json, type JsonMap, mapOf } from "../../../ground/message.ts"
import type { LifecycleHook } from "../hook.ts"
import { readHooks } from "../read-hooks.ts"
import { listGobbyNames } from "./conditions.ts"
import { listDeclaredVariables, listUndoneOutputs } from "./declared-variables.ts"
import { findTrigger, orderOf, triggerNames } from "./events.ts"
import { sources as knownSources } from "./off.ts"
import { readObservers } from "./read-observers.ts"
import { readBlockRule, readBlockRules } from "./read-rules.ts"
import { readTrigger } from "./read-trigger.ts"
import type { GobbyKeyPath, GobbyReading } from "./reading.ts"

/** The hooks of a Gobby workflow file. They apply to runs of all agents, even if an agent does not name the file. */
export interface GobbyHooks {
  readonly hooks: readonly LifecycleHook[]
  /** The parts that are invalid, and unsupported parts without which the other parts would mislead. */
  readonly problems: readonly PlacedProblem[]
  /** The valid parts that have no effect in cadre. */
  readonly notes: readonly GobbyNote[]
}

/**
 * A note about an unsupported part. `gate`: because the part is unsupported, hooks refuse calls, or never judge them.
 */
export interface GobbyNote extends PlacedProblem {
  readonly of: "gate" | "other"
}

/**
 * Reads the hooks of a Gobby workflow file, and checks its other keys. `of` is the beginning of each hook's name. Never
 * throws.
 */
export function readGobbyHooks(value: Json, of: string): GobbyHooks {
  const problems: PlacedProblem[] = []
  const notes: GobbyNote[] = []
  const reading: GobbyReading = {
    of,
    names: listGobbyNames(listDeclaredVariables(value)),
    undone: listUndoneOutputs(value),
    asksForBlocks: JSON.stringify(value).includes("_tool_block_pending"),
    tell: (problem) => void problems.push(problem),
    note: (problem, of) => void notes.push({ ...problem, of: of ?? "other" }),
  }
  return { hooks: isMap(value) ? readParts(value, reading) : unread(value, reading), problems, notes }
}

function unread(value: Json, { tell }: GobbyReading): readonly LifecycleHook[] {
  tell({
    path: [],
    message:
      value === null
        ? "this file is empty, so cadre cannot know what it should forbid. Write its `triggers` or `steps`, or remove the file."
        : "a workflow of Gobby's must be keys and values, with `triggers` or `steps`.",
  })
  return []
}

const lifecycleKeys = ["triggers", "tool_rules", "observers", "variables", "session_variables"]
/** Keys that `src/definitions/workflow` reads. */
const stepKeys = ["steps", "exit_condition", "on_premature_stop", "on_error", "settings", "imports"]
const headKeys = ["name", "description", "version", "type", "enabled", "priority", "sources", "extends"]
const rootKeys = [...headKeys, ...lifecycleKeys, ...stepKeys, "rule_definitions"]

function readParts(value: JsonMap, reading: GobbyReading): readonly LifecycleHook[] {
  const { tell } = reading
  if (value.rules !== undefined) {
    tell({
      path: ["rules"],
      about: "key",
      message:
        "this is a file of Gobby's third generation, whose `rules` are not supported. Write each rule as a hook: copy its `event`, `when` and `effects` unchanged into a file in .cadre/lifecycles/.",
    })
    return []
  }
  const events = value.steps === undefined ? Object.keys(value).filter((key) => key.startsWith("on_")) : []
  for (const key of Object.keys(value).filter((name) => !rootKeys.includes(name) && !events.includes(name)))
    tell({ path: [key], about: "key", message: unknownKey(key) })
  checkHead(value, reading)
  if (!Object.keys(value).some((key) => isContent(key) || events.includes(key)))
    tell({
      path: [],
      message: "this file does nothing: it has no `triggers`, no `steps` and no rules.",
    })
  return [
    ...(value.tool_rules === undefined
      ? []
      : readBlockRules(value.tool_rules, ["tool_rules"], "before_tool", reading)),
    ...byEvent(
      value.triggers,
      events.filter((key) => !stepKeys.includes(key)),
      value,
      reading,
    ),
    ...(value.observers === undefined ? [] : readObservers(value.observers, reading)),
    ...checkDefinitions(value.rule_definitions, reading),
  ]
}

const isContent = (key: string): boolean => [...lifecycleKeys, "steps", "rule_definitions"].includes(key)

function unknownKey(key: string): string {
  const trigger = findTrigger(`on_${key}`)
  return trigger
    ? `${JSON.stringify(key)} is not a key of Gobby's workflows. Write it as \`on_${key}\`, below \`triggers\`.`
    : `${JSON.stringify(key)} is not a key of Gobby's workflows. ${listKnownNames(key, [...rootKeys, ...triggerNames])}`
}

/** Checks the keys that describe the file itself. */
function checkHead(value: JsonMap, { tell }: GobbyReading): void {
  const wrong = (key: string, message: string) => tell({ path: [key], message: `\`${key}\` ${message}` })
  const { name, type, enabled, priority, extends: parent } = value
  if (name !== undefined && (typeof name !== "string" || name.trim() === "")) wrong("name", "must be text.")
  if (type !== undefined && type !== "lifecycle" && type !== "step")
    wrong("type", "must be lifecycle, step or pipeline.")
  if (enabled !== undefined && typeof enabled !== "boolean") wrong("enabled", "must be true or false.")
  if (priority !== undefined && typeof priority !== "number") wrong("priority", "must be a number.")
  if (parent !== undefined && parent !== null)
    wrong(
      "extends",
      "is not supported, so the rules of the other file would be missing. Copy them into this file.",
    )
  for (const key of ["variables", "session_variables"]) {
    const problem = value[key] == null ? undefined : findVariablesProblem(value[key])
    if (problem !== undefined) tell({ path: [key], message: `${problem}.` })
  }
  checkSources(value.sources, tell)
}

function checkSources(sources: Json | undefined, tell: GobbyReading["tell"]): void {
  if (sources === undefined || sources === null) return
  if (!Array.isArray(sources))
    return tell({ path: ["sources"], message: "`sources` must be a list of names." })
  if (sources.length === 0)
    return tell({
      path: ["sources"],
      message: "`sources` names no program. Leave it out to mean all programs.",
    })
  for (const [index, source] of sources.entries())
    if (!knownSources.includes(source))
      tell({
        path: ["sources", index],
        message: `there is no source ${JSON.stringify(source)}. ${listKnownNames(String(source), knownSources)}`,
      })
}

/** Reads the triggers below `triggers`, and those at the top level, where the oldest files have them. */
function byEvent(
  triggers: Json | undefined,
  above: readonly string[],
  value: JsonMap,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  if (triggers !== undefined && (!isMap(triggers) || Object.keys(triggers).length === 0))
    reading.tell({
      path: ["triggers"],
      message:
        "`triggers` must be lists by event, such as `on_before_tool:`. Leave it out if there are none.",
    })
  const below = Object.keys(mapOf(triggers ?? null)).map((key) => ({ key, path: ["triggers", key] }))
  const all = [...below, ...above.map((key) => ({ key, path: [key] }))]
  return all
    .toSorted((one, other) => orderOf(one.key) - orderOf(other.key))
    .flatMap(({ key, path }) =>
      readEvent(key, path.length > 1 ? mapOf(triggers ?? null)[key]! : value[key]!, path, reading),
    )
}

function readEvent(
  key: string,
  entries: Json,
  path: GobbyKeyPath,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  const trigger = findTrigger(key)
  if (!trigger) {
    const isBare = findTrigger(`on_${key}`) !== undefined
    reading.tell({
      path,
      about: "key",
      message: `there is no event ${JSON.stringify(key)}. ${isBare ? `Write \`on_${key}\`.` : listKnownNames(key, triggerNames)}`,
    })
    return []
  }
  if (!Array.isArray(entries)) {
    reading.tell({ path, message: `\`${key}\` must be a list, with a \`-\` before each entry.` })
    return []
  }
  if (entries.length === 0)
    reading.tell({
      path,
      message: `\`${key}\` is empty. Write what should happen, or leave it out.`,
    })
  if (trigger.type === "event")
    return entries.flatMap((entry: Json, index) => readEntry(entry, trigger.event, [...path, index], reading))
  reportNeverHappens(key, entries, trigger.why, path, reading)
  return []
}

/**
 * Reports the entries of an event that never happens in cadre. If one of them would block, it is a problem. Otherwise the
 * event gets one note.
 */
function reportNeverHappens(
  key: string,
  entries: readonly Json[],
  why: string,
  path: GobbyKeyPath,
  reading: GobbyReading,
): void {
  const withoutNotes: GobbyReading = { ...reading, note: () => {} }
  const gate = entries
    .flatMap((entry, index) => readEntry(entry, "before_model", [...path, index], withoutNotes))
    .find(({ effects }) => effects.some(({ type }) => type === "block"))
  if (gate)
    reading.tell({
      path: gate.path,
      message: `this would block at ${key}, an event that never happens in cadre: ${why}.`,
    })
  else
    reading.note({
      path,
      about: "key",
      message: `\`${key}\` never happens in cadre: ${why}. Its entries have no effect.`,
    })
}

/** Reads an entry with an `action`, or with effects in cadre's format. */
function readEntry(
  entry: Json,
  event: LifecycleHook["event"],
  path: GobbyKeyPath,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  if (!isMap(entry)) {
    reading.tell({ path, message: "an entry must be keys and values, with an `action`." })
    return []
  }
  if (entry.action !== undefined) return readTrigger(entry, event, path, reading)
  const { hooks, problems } = readHooks({ [event]: [entry] }, reading.of, "set", reading.names)
  for (const problem of problems) reading.tell({ ...problem, path: [...path, ...problem.path.slice(2)] })
  return hooks.map((hook) => ({ ...hook, name: nameIn(hook, entry, path, reading), path, words: "gobby" }))
}

const nameIn = (hook: LifecycleHook, { name }: JsonMap, path: GobbyKeyPath, { of }: GobbyReading): string =>
  typeof name === "string" ? hook.name : `${of}: ${path.join(".")}`

/** Checks rules that steps can name. They are no hooks: each applies only in the steps that name it. */
function checkDefinitions(definitions: Json | undefined, reading: GobbyReading): readonly LifecycleHook[] {
  if (definitions === undefined || definitions === null) return []
  if (!isMap(definitions))
    reading.tell({
      path: ["rule_definitions"],
      message: "`rule_definitions` must be a map of rules by name.",
    })
  for (const [name, rule] of Object.entries(mapOf(definitions)))
    readBlockRule(rule, ["rule_definitions", name], "before_tool", reading)
  return []
}
