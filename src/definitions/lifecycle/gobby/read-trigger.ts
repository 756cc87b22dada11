import type { PlacedProblem } from "../../../ground/diagnostics/problem.ts"
import { knownNames } from "../../../ground/errors.ts"
import type { JsonMap } from "../../../ground/message.ts"
import { closestWord, plainKey, vocabularyOf } from "../../../ground/restricting.ts"
import { parseTemplate } from "../../../language/template/index.ts"
import type { LifecycleEvent } from "../event-names.ts"
import type { HookEffect, LifecycleHook } from "../hook.ts"
import { readEffects } from "../read-effects.ts"
import { unfitEffects } from "../unfit-effects.ts"
import { actionNamed, type gateNames, noAction, notDone } from "./actions.ts"
import { gateKeys, gateOf, isGatingCall } from "./gates.ts"
import { readBlockRules } from "./read-rules.ts"
import { conditionOf, type GobbyReading, knowsOnly, type Path } from "./reading.ts"
import { both } from "./words.ts"

/** An entry of `triggers` that names its `action`, as hooks. */
export function readTrigger(
  entry: JsonMap,
  event: LifecycleEvent,
  path: Path,
  reading: GobbyReading,
): readonly LifecycleHook[] {
  const { action } = entry
  const known = typeof action === "string" ? actionNamed(action) : undefined
  if (!known || typeof action !== "string") {
    reading.tell({
      path: [...path, "action"],
      message: noAction(action),
    })
    return []
  }
  const trigger = { entry, event, path, reading, action }
  switch (known.type) {
    case "gate":
      return readGate(trigger)
    case "passed-over":
      return isGatingCall(entry) ? [refusing(trigger)] : passedOver(trigger, known.why)
    case "done":
      return (special[action] ?? readEffect)(trigger)
  }
}

interface Trigger {
  readonly entry: JsonMap
  readonly event: LifecycleEvent
  readonly path: Path
  readonly reading: GobbyReading
  readonly action: string
}

const special: Readonly<Record<string, (trigger: Trigger) => readonly LifecycleHook[]>> = {
  block_tools: readBlockTools,
  inject_context: readContext,
  track_discovery_step: readTracking,
  track_schema_lookup: readTracking,
}

/** Keys that would make it a gate, or nearly so: what it was to keep from happening is not heard. */
function passedOver({ entry, path, reading, action }: Trigger, why: string): readonly LifecycleHook[] {
  for (const key of Object.keys(entry))
    if (!isFlagOfCall(key) && (/block|deny|forbid/i.test(key) || closestWord(plainKey(key), gatingKeys)))
      reading.tell({
        path: [...path, key],
        about: "key",
        message: `\`${action}\` has no ${JSON.stringify(key)}. ${knownNames(key, ["block_on_failure", "block_on_success"])}`,
      })
  reading.note({ path: [...path, "action"], message: notDone(action, why) })
  return []
}

const isFlagOfCall = (key: string): boolean => ["block_on_failure", "block_on_success"].includes(key)

const gatingKeys = vocabularyOf(
  ["block_on_failure", "block_on_success"].map((name) => [plainKey(name), name] as const),
)

/** A side call that was to block: nobody knows how it would have ended. */
function refusing(trigger: Trigger): LifecycleHook {
  const { entry, path, reading, action } = trigger
  reading.note(
    {
      path: [...path, "action"],
      message: `Gobby's \`${action}\` is not done here, and it was to block: what it would judge is refused where its \`when\` holds.`,
    },
    "gate",
  )
  const when = conditionOf(entry.when, [...path, "when"], "gate", reading)
  const reason = `\`${action}\` of ${reading.of} is not done here, and it was to judge this.`
  return hookOf(trigger, { ...(when && { when }), effects: [blocking(reason)] })
}

function readGate(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, event, path, reading } = trigger
  const action = trigger.action as (typeof gateNames)[number]
  knowsOnly(`\`${action}\``, entry, ["action", "when", ...gateKeys[action]], path, reading)
  const { events, when: own, reason, ...filter } = gateOf(action, entry)
  if (!events.includes(event))
    reading.tell({
      path: [...path, "action"],
      message: `\`${action}\` judges nothing at ${event}. It stands at ${events.join(", ")}.`,
    })
  reading.note(
    {
      path: [...path, "action"],
      message: `\`${action}\` goes by what only Gobby knows: what it would judge is refused here where ${own ? `\`${own.text}\` holds` : "its `when` holds"}.`,
    },
    "gate",
  )
  const when = both(conditionOf(entry.when, [...path, "when"], "gate", reading), own)
  return [
    hookOf(trigger, { ...filter, ...(when && { when }), effects: [{ type: "block", reason, final: true }] }),
  ]
}

function readBlockTools({ entry, event, path, reading }: Trigger): readonly LifecycleHook[] {
  knowsOnly("`block_tools`", entry, ["action", "when", "rules"], path, reading)
  if (event !== "before_tool" && event !== "after_tool")
    reading.tell({
      path: [...path, "action"],
      message: "`block_tools` judges calls: it stands at on_before_tool.",
    })
  const when = conditionOf(entry.when, [...path, "when"], "gate", reading)
  return readBlockRules(entry.rules, [...path, "rules"], event, reading).map((hook) => {
    const whole = both(when, hook.when)
    return { ...hook, ...(whole && { when: whole }) }
  })
}

/** What Gobby would look up is not there; with `require` it blocks then. */
function readContext(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, path, reading } = trigger
  const { source, filter: _, limit: __, require, ...rest } = entry
  if (require !== undefined && typeof require !== "boolean")
    reading.tell({ path: [...path, "require"], message: "`require` must be true or false." })
  if (source === undefined || source === null) return readEffect({ ...trigger, entry: rest })
  reading.note(
    {
      path: [...path, "source"],
      message: `Nothing is found here for the source ${JSON.stringify(source)} of Gobby's: nothing is told${require ? ", and because of `require` what comes then is refused" : ""}.`,
    },
    ...(require ? (["gate"] as const) : []),
  )
  const keys = ["action", "when", "source", "filter", "limit", "require", "template", "content"]
  knowsOnly("`inject_context`", entry, keys, path, reading)
  const when = conditionOf(entry.when, [...path, "when"], require ? "gate" : "other", reading)
  if (!require) return []
  const reason = `${reading.of} wants what Gobby finds for ${JSON.stringify(source)} to be there, and it is not to be had here.`
  return [hookOf(trigger, { ...(when && { when }), effects: [blocking(reason)] })]
}

function readTracking(trigger: Trigger): readonly LifecycleHook[] {
  const { entry, event, path, reading, action } = trigger
  knowsOnly(`\`${action}\``, entry, ["action", "when"], path, reading)
  if (event !== "after_tool") {
    reading.note({ path: [...path, "action"], message: notDone(action, "it looks at calls that have ended") })
    return []
  }
  const when = conditionOf(entry.when, [...path, "when"], "other", reading)
  const as = action as "track_discovery_step" | "track_schema_lookup"
  return [hookOf(trigger, { ...(when && { when }), effects: [{ type: "track", as }] })]
}

/** Names of effects that are called otherwise here. */
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
  const listed = inOurKeys(type, rest, trigger)
  if (!listed) return []
  const found: PlacedProblem[] = []
  const effects = readEffects(
    { effects: [{ type, ...listed }] },
    { event, otherKeys: [], names: reading.names },
    (problem) => {
      const [key, ...inner] = problem.path.slice(2)
      const isValue = type === "set_variable" && key !== undefined && !Object.hasOwn(entry, key)
      const theirs = isValue
        ? ["value", ...inner]
        : key === undefined
          ? textKey(type, entry)
          : [key, ...inner]
      found.push({ ...problem, path: [...path, ...theirs] })
    },
  )
  for (const problem of found) reading.tell(problem)
  const condition = conditionOf(when, [...path, "when"], gating.has(type) ? "gate" : "other", reading)
  const [unfit] = unfitEffects(event, effects)
  if (unfit && type !== "block" && type !== "run") {
    reading.note({ path: [...path, "action"], message: unfit.message })
    return []
  }
  if (unfit) reading.tell({ path: [...path, "action"], message: unfit.message })
  if (effects.length === 0) return []
  return [hookOf(trigger, { ...(condition && { when: condition }), effects })]
}

/** What stands beside an action, as an entry of `effects` has it. Undefined, and told, where nothing comes of it. */
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
    message: notDone(
      action,
      "a command runs where the run works, and nothing is filled in: values reach it over its input",
    ),
  })
  return undefined
}

/** The key of a file in which a text stands that could not be read. */
function textKey(type: string, entry: JsonMap): Path {
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
