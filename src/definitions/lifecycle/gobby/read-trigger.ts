import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import type { JsonMap } from "../../../ground/message.ts"
import { createVocabulary, findClosestWord, toPlainKey } from "../../../ground/restricting.ts"
import { parseTemplate } from "../../../language/template/index.ts"
import type { LifecycleEvent } from "../event-names.ts"
import type { HookEffect, LifecycleHook } from "../hook.ts"
import { readEffects } from "../read-effects.ts"
import { findUnfitEffects } from "../unfit-effects.ts"
import { describeUnknownAction, describeUnsupportedAction, findAction, type gateNames } from "./actions.ts"
import { joinConditions } from "./conditions.ts"
import { compileGobbyGate, gateKeys, isGatingCall } from "./gates.ts"
import { readBlockRules } from "./read-rules.ts"
import { type GobbyKeyPath, type GobbyReading, readGobbyCondition, reportUnknownKeys } from "./reading.ts"

/** Reads an entry of `triggers` that names its `action`, as hooks. */
export function readTrigger(
  entry: JsonMap,
  event: LifecycleEvent,
  path: GobbyKeyPath,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  const { action } = entry
  const knownAction = typeof action === "string" ? findAction(action) : undefined
  if (!knownAction || typeof action !== "string") {
    reading.tell({
      path: [...path, "action"],
      message: describeUnknownAction(action),
    })
    return []
  }
  const trigger = { entry, event, path, reading, action }
  switch (knownAction.type) {
    case "gate":
      return readGate(trigger)
    case "passed-over":
      return isGatingCall(entry) ? [refusing(trigger)] : passedOver(trigger, knownAction.why)
    case "done":
      return (special[action] ?? readEffect)(trigger)
  }
}

interface Trigger {
  readonly entry: JsonMap
  readonly event: LifecycleEvent
  readonly path: GobbyKeyPath
  readonly reading: GobbyReading
  readonly action: string
}

const special: Readonly<Record<string, (trigger: Trigger) => readonly LifecycleHook[]>> = {
  block_tools: readBlockTools,
  inject_context: readContext,
  track_discovery_step: readTracking,
  track_schema_lookup: readTracking,
}

/** Skips an action. Reports keys that look like the keys of a gate, because what they should block would be allowed. */
function passedOver({ entry, path, reading, action }: Trigger, why: string): readonly LifecycleHook[] {
  for (const key of Object.keys(entry))
    if (
      !isFlagOfCall(key) &&
      (/block|deny|forbid/i.test(key) || findClosestWord(toPlainKey(key), gatingKeys))
    )
      reading.tell({
        path: [...path, key],
        about: "key",
        message: `\`${action}\` has no ${JSON.stringify(key)}. ${listKnownNames(key, ["block_on_failure", "block_on_success"])}`,
      })
  reading.note({ path: [...path, "action"], message: describeUnsupportedAction(action, why) })
  return []
}

const isFlagOfCall = (key: string): boolean => ["block_on_failure", "block_on_success"].includes(key)

const gatingKeys = createVocabulary(
  ["block_on_failure", "block_on_success"].map((name) => [toPlainKey(name), name] as const),
)

/** A call that should block on its result. Its result is unknown here, so it always blocks. */
function refusing(trigger: Trigger): LifecycleHook {
  const { entry, path, reading, action } = trigger
  reading.note(
    {
      path: [...path, "action"],
      message: `Gobby's \`${action}\` is not supported here, and it can block. So everything that it would judge is refused if its \`when\` holds.`,
    },
    "gate",
  )
  const when = readGobbyCondition(entry.when, [...path, "when"], "gate", reading)
  const reason = `\`${action}\` of ${reading.of} is not supported here, so it cannot judge this.`
  return hookOf(trigger, { ...(when && { when }), effects: [blocking(reason)] })
}

function readGate(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, event, path, reading } = trigger
  const action = trigger.action as (typeof gateNames)[number]
  reportUnknownKeys(`\`${action}\``, entry, ["action", "when", ...gateKeys[action]], path, reading)
  const { events, when: own, reason, ...filter } = compileGobbyGate(action, entry)
  if (!events.includes(event))
    reading.tell({
      path: [...path, "action"],
      message: `\`${action}\` has no effect at ${event}. Put it at ${events.join(", ")}.`,
    })
  reading.note(
    {
      path: [...path, "action"],
      message: `\`${action}\` depends on data that only Gobby has. Everything that it would judge is refused here if ${own ? `\`${own.text}\` holds` : "its `when` holds"}.`,
    },
    "gate",
  )
  const when = joinConditions(readGobbyCondition(entry.when, [...path, "when"], "gate", reading), own)
  return [
    hookOf(trigger, { ...filter, ...(when && { when }), effects: [{ type: "block", reason, final: true }] }),
  ]
}

function readBlockTools({ entry, event, path, reading }: Trigger): readonly LifecycleHook[] {
  reportUnknownKeys("`block_tools`", entry, ["action", "when", "rules"], path, reading)
  if (event !== "before_tool" && event !== "after_tool")
    reading.tell({
      path: [...path, "action"],
      message: "`block_tools` judges calls. Put it at on_before_tool.",
    })
  const when = readGobbyCondition(entry.when, [...path, "when"], "gate", reading)
  return readBlockRules(entry.rules, [...path, "rules"], event, reading).map((hook) => {
    const whole = joinConditions(when, hook.when)
    return { ...hook, ...(whole && { when: whole }) }
  })
}

/** Reads `inject_context`. A `source` that Gobby would look up does not exist here; with `require`, that blocks. */
function readContext(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, path, reading } = trigger
  const { source, filter: _, limit: __, require, ...rest } = entry
  if (require !== undefined && typeof require !== "boolean")
    reading.tell({ path: [...path, "require"], message: "`require` must be true or false." })
  if (source === undefined || source === null) return readEffect({ ...trigger, entry: rest })
  reading.note(
    {
      path: [...path, "source"],
      message: `Gobby's source ${JSON.stringify(source)} does not exist here, so no context is added${require ? ", and because of `require` this blocks" : ""}.`,
    },
    ...(require ? (["gate"] as const) : []),
  )
  const keys = ["action", "when", "source", "filter", "limit", "require", "template", "content"]
  reportUnknownKeys("`inject_context`", entry, keys, path, reading)
  const when = readGobbyCondition(entry.when, [...path, "when"], require ? "gate" : "other", reading)
  if (!require) return []
  const reason = `${reading.of} requires Gobby's source ${JSON.stringify(source)}, which does not exist here.`
  return [hookOf(trigger, { ...(when && { when }), effects: [blocking(reason)] })]
}

function readTracking(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, event, path, reading, action } = trigger
  reportUnknownKeys(`\`${action}\``, entry, ["action", "when"], path, reading)
  if (event !== "after_tool") {
    reading.note({
      path: [...path, "action"],
      message: describeUnsupportedAction(action, "it records calls that have ended"),
    })
    return []
  }
  const when = readGobbyCondition(entry.when, [...path, "when"], "other", reading)
  const as = action as "track_discovery_step" | "track_schema_lookup"
  return [hookOf(trigger, { ...(when && { when }), effects: [{ type: "track", as }] })]
}

/** Our names for actions that have another name in Gobby. */
const effectNamed: Readonly<Record<string, string>> = {
  bash: "run",
  block_stop: "block",
  inject_message: "inject_context",
  shell: "run",
}

const gating: ReadonlySet<string> = new Set(["block", "run", "spawn_agent", "rewrite_input"])

function readEffect(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, event, path, reading, action } = trigger
  const { when, action: _, description: __, ...rest } = entry
  const type = effectNamed[action] ?? action
  const effectKeys = inOurKeys(type, rest, trigger)
  if (!effectKeys) return []
  const problems: PlacedProblem[] = []
  const effects = readEffects(
    { effects: [{ type, ...effectKeys }] },
    { event, otherKeys: [], names: reading.names },
    (problem) => {
      const [key, ...inner] = problem.path.slice(2)
      const isValue = type === "set_variable" && key !== undefined && !Object.hasOwn(entry, key)
      const theirs = isValue
        ? ["value", ...inner]
        : key === undefined
          ? textKey(type, entry)
          : [key, ...inner]
      problems.push({ ...problem, path: [...path, ...theirs] })
    },
  )
  for (const problem of problems) reading.tell(problem)
  const condition = readGobbyCondition(when, [...path, "when"], gating.has(type) ? "gate" : "other", reading)
  const [unfit] = findUnfitEffects(event, effects)
  if (unfit && type !== "block" && type !== "run") {
    reading.note({ path: [...path, "action"], message: unfit.message })
    return []
  }
  if (unfit) reading.tell({ path: [...path, "action"], message: unfit.message })
  if (effects.length === 0) return []
  return [hookOf(trigger, { ...(condition && { when: condition }), effects })]
}

/** The keys of an action, in the form of an entry of `effects`. Undefined, with a note, if cadre cannot do it. */
function inOurKeys(type: string, rest: JsonMap, { path, reading, action }: Trigger): JsonMap | undefined {
  if (type === "block") {
    const { reason, message = "Blocked by policy", ...others } = rest
    return { reason: reason ?? message, ...others }
  }
  if (type === "inject_context") {
    const { content, template, background: _, ...others } = rest
    return { text: content ?? template ?? null, ...others }
  }
  if (type !== "run") return rest
  const { background: _, capture_output: __, cwd, ...others } = rest
  if (cwd === undefined && !/\{\{/.test(String(rest.command))) return others
  reading.note({
    path: [...path, cwd === undefined ? "command" : "cwd"],
    message: describeUnsupportedAction(
      action,
      "a command runs in the run's directory, and templates in it are not filled in. It gets values through its input",
    ),
  })
  return undefined
}

/** The key of the file that has the invalid text. */
function textKey(type: string, entry: JsonMap): GobbyKeyPath {
  const keys = { block: ["reason", "message"], inject_context: ["content", "template", "text"] }[type] ?? []
  const key = keys.find((name) => Object.hasOwn(entry, name))
  return key === undefined ? [] : [key]
}

function hookOf(
  { event, path, reading }: Trigger,
  hook: Partial<LifecycleHook> & Pick<LifecycleHook, "effects">,
): LifecycleHook {
  return { name: `${reading.of}: ${path.join(".")}`, path, event, words: "gobby", ...hook }
}

function blocking(text: string): HookEffect {
  const reason = parseTemplate(text.replaceAll("{", "("))
  if (reason.type === "invalid") throw new Error(reason.problem.message)
  return { type: "block", reason, final: true }
}
