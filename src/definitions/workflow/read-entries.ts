import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { workflowParts } from "../formats/workflow-keys.ts"
import { describeUnknownAction, describeUnsupportedAction, findAction } from "../lifecycle/gobby/actions.ts"
import type { HookEffect } from "../lifecycle/hook.ts"
import { readEffects } from "../lifecycle/read-effects.ts"
import { readWorkflowPart } from "./read-part.ts"
import { listItemsWithReading, readCondition, type WorkflowProblem, type WorkflowReading } from "./reading.ts"
import type { Reaction, WorkflowEntry } from "./workflow.ts"

/** Reads entries: one or more effects, with an optional condition. */
export const readWorkflowEntries = (
  value: Json | undefined,
  reading: WorkflowReading,
): readonly WorkflowEntry[] =>
  listItemsWithReading(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readWorkflowPart("entry", written, here)
    const effects = values && effectsOf(written as Values, "entry", here)
    if (!effects) return []
    const when = readCondition(values.when, here.in("when"))
    return [{ ...(when && { when }), effects }]
  })

/** Reads reactions: effects that happen after some calls. */
export const readReactions = (value: Json | undefined, reading: WorkflowReading): readonly Reaction[] =>
  listItemsWithReading(value, reading).flatMap(({ value: written, reading: here }) => {
    const values = readWorkflowPart("reaction", written, here)
    const effects = values && effectsOf(written as Values, "reaction", here)
    if (!effects) return []
    const when = readCondition(values.when, here.in("when"))
    const tools = values.tool as readonly string[] | undefined
    return [
      {
        ...(when && { when }),
        ...(tools && { tools: tools.flatMap(listCadreToolNames) }),
        ...(values.server !== undefined && { server: values.server as string }),
        effects,
      },
    ]
  })

type Values = { readonly [key: string]: Json }

/** Cadre's names of a tool that is written with any host's name. */
export function listCadreToolNames(text: string): readonly string[] {
  const knownTool = lookUpTool(text)
  return knownTool.type === "equivalent" ? [knownTool.name, ...(knownTool.also ?? [])] : [text]
}

/** Reads effects in the format of hooks, or in Gobby's: an `action` with its keys. */
function effectsOf(
  written: Values,
  part: "entry" | "reaction",
  reading: WorkflowReading,
): readonly HookEffect[] | undefined {
  const own = workflowParts[part].map(({ key }) => key)
  const { description: _, ...beside } = Object.fromEntries(
    Object.entries(written).filter(([key]) => !own.includes(key)),
  )
  const { name, ...unnamed } = beside
  // Beside an `action`, `name` is the name of a variable; elsewhere it only names the entry.
  const rest = typeof beside.action === "string" && name !== undefined ? beside : unnamed
  const effectEntry = actionOf(rest)
  const omission =
    effectEntry && reading.as === "gobby" ? leftOut(String(rest.action), effectEntry) : undefined
  if (omission) {
    reading.tell({ path: ["action"], ...omission })
    return undefined
  }
  const effects = readEffects(
    inTurn(effectEntry ? { effects: [effectEntry] } : rest),
    { event: "before_tool", otherKeys: own, ...(reading.names && { names: reading.names }) },
    (problem) => reading.tell({ ...problem, path: effectEntry ? problem.path.slice(2) : problem.path }),
  )
  for (const effect of effects) {
    const message = misplaced(effect)
    if (message !== undefined) reading.tell({ path: effectEntry ? ["action"] : [effect.type], message })
  }
  return effects
}

/** The reason why an action of Gobby's has no effect. Undefined: it has one. */
function leftOut(action: string, { source }: Values): Omit<WorkflowProblem, "path"> | undefined {
  const knownAction = findAction(action)
  if (!knownAction) return wrong(describeUnknownAction(action))
  if (knownAction.type === "gate" || action === "block_tools" || action === "block_stop")
    return wrong(nothingToBlock)
  const why =
    knownAction.type === "passed-over"
      ? describeUnsupportedAction(action, knownAction.why)
      : action === "inject_context" && source !== undefined && source !== null
        ? `Gobby's source ${JSON.stringify(source)} does not exist here, so no context is added.`
        : undefined
  return why === undefined ? undefined : { code: "workflow-unheard", severity: "warning", message: why }
}

const wrong = (message: string) => ({ code: "workflow-invalid", severity: "error", message }) as const

/** Converts an `action` and the keys beside it to an effect with a `type`. */
function actionOf({ action, ...rest }: Values): Values | undefined {
  if (typeof action !== "string") return undefined
  const type =
    action === "inject_message" ? "inject_context" : action === "shell" || action === "bash" ? "run" : action
  const { content, ...others } = rest
  return type === "inject_context" && content !== undefined
    ? { type, text: content, ...others }
    : { type, ...rest }
}

/** A workflow has no call to replace, so a spawn without a `mode` gets `before`: the run waits for the agent. */
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
  "there is no call to block here. Use `allowed_tools` and `blocked_tools` to say which calls may run in a step."

/** The reason why an effect cannot be in a workflow. */
function misplaced(effect: HookEffect): string | undefined {
  switch (effect.type) {
    case "block":
      return nothingToBlock
    case "rewrite_input":
      return "there is no call here whose arguments could be rewritten."
    case "spawn_agent":
      return effect.mode === "replace"
        ? "there is no call here that an agent could replace: `mode` must be before or background."
        : undefined
    default:
      return undefined
  }
}
