import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { workflowParts } from "../formats/workflow-keys.ts"
import { actionNamed, noAction, notDone } from "../lifecycle/gobby/actions.ts"
import type { HookEffect } from "../lifecycle/hook.ts"
import { readEffects } from "../lifecycle/read-effects.ts"
import { readPart } from "./read-part.ts"
import { conditionOf, placesOf, type Reading, type WorkflowProblem } from "./reading.ts"
import type { Entry, Reaction } from "./workflow.ts"

/** What is to happen: one effect or more, with a condition or without. */
export const readEntries = (value: Json | undefined, reading: Reading): readonly Entry[] =>
  placesOf(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readPart("entry", written, here)
    const effects = values && effectsOf(written as Values, "entry", here)
    if (!effects) return []
    const when = conditionOf(values.when, here.in("when"))
    return [{ ...(when && { when }), effects }]
  })

/** What is to happen because of calls, and of which. */
export const readReactions = (value: Json | undefined, reading: Reading): readonly Reaction[] =>
  placesOf(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readPart("reaction", written, here)
    const effects = values && effectsOf(written as Values, "reaction", here)
    if (!effects) return []
    const when = conditionOf(values.when, here.in("when"))
    const tools = values.tool as readonly string[] | undefined
    return [
      {
        ...(when && { when }),
        ...(tools && { tools: tools.flatMap(toolNames) }),
        ...(values.server !== undefined && { server: values.server as string }),
        effects,
      },
    ]
  })

type Values = { readonly [key: string]: Json }

/** Cadre's names for what any host calls a tool. */
export function toolNames(text: string): readonly string[] {
  const known = lookUpTool(text)
  return known.type === "equivalent" ? [known.name, ...(known.also ?? [])] : [text]
}

/** The effects of hooks, as hooks write them, or as Gobby does: an `action` with what it takes. */
function effectsOf(
  written: Values,
  part: "entry" | "reaction",
  reading: Reading,
): readonly HookEffect[] | undefined {
  const own = workflowParts[part].map(({ key }) => key)
  const { description: _, ...beside } = Object.fromEntries(
    Object.entries(written).filter(([key]) => !own.includes(key)),
  )
  const { name, ...unnamed } = beside
  // Beside an action it is what the variable is called.
  const rest = typeof beside.action === "string" && name !== undefined ? beside : unnamed
  const listed = actionOf(rest)
  const left = listed && reading.as === "gobby" ? leftOut(String(rest.action), listed) : undefined
  if (left) {
    reading.tell({ path: ["action"], ...left })
    return undefined
  }
  const effects = readEffects(
    inTurn(listed ? { effects: [listed] } : rest),
    { event: "before_tool", otherKeys: own, ...(reading.names && { names: reading.names }) },
    (problem) => reading.tell({ ...problem, path: listed ? problem.path.slice(2) : problem.path }),
  )
  for (const effect of effects) {
    const message = misplaced(effect)
    if (message !== undefined) reading.tell({ path: listed ? ["action"] : [effect.type], message })
  }
  return effects
}

/** Why nothing comes of an action of Gobby's; undefined where something does. */
function leftOut(action: string, { source }: Values): Omit<WorkflowProblem, "path"> | undefined {
  const known = actionNamed(action)
  if (!known) return wrong(noAction(action))
  if (known.type === "gate" || action === "block_tools" || action === "block_stop")
    return wrong(nothingToBlock)
  const why =
    known.type === "passed-over"
      ? notDone(action, known.why)
      : action === "inject_context" && source !== undefined && source !== null
        ? `Nothing is found here for the source ${JSON.stringify(source)} of Gobby's: nothing is told.`
        : undefined
  return why === undefined ? undefined : { code: "workflow-unheard", severity: "warning", message: why }
}

const wrong = (message: string) => ({ code: "workflow-invalid", severity: "error", message }) as const

/** `action: set_variable` with `variable` and `value` beside it; a message is what other effects call a context. */
function actionOf({ action, ...rest }: Values): Values | undefined {
  if (typeof action !== "string") return undefined
  const type =
    action === "inject_message" ? "inject_context" : action === "shell" || action === "bash" ? "run" : action
  const { content, ...others } = rest
  return type === "inject_context" && content !== undefined
    ? { type, text: content, ...others }
    : { type, ...rest }
}

/** There is no call in whose place an agent could be spawned: left out, the run waits for it. */
const inTurn = (written: Values): Values =>
  Object.fromEntries(
    Object.entries(written).map(([key, value]) => {
      if (key === "spawn_agent") return [key, waiting(value)]
      return key === "effects" && Array.isArray(value) ? [key, value.map(waitingEffect)] : [key, value]
    }),
  )

const waiting = (spawn: Json): Json =>
  isMap(spawn) && spawn.mode === undefined ? { ...spawn, mode: "before" } : spawn

const waitingEffect = (effect: Json): Json =>
  isMap(effect) && effect.type === "spawn_agent" ? waiting(effect) : effect

const nothingToBlock =
  "there is nothing to block here. `allowed_tools` and `blocked_tools` say which calls may run in a step."

/** Why an effect cannot stand in a workflow. */
function misplaced(effect: HookEffect): string | undefined {
  switch (effect.type) {
    case "block":
      return nothingToBlock
    case "rewrite_input":
      return "there is no call here whose arguments could be others."
    case "spawn_agent":
      return effect.mode === "replace"
        ? "there is no call here that an agent could take the place of: `mode` is before or background."
        : undefined
    default:
      return undefined
  }
}
