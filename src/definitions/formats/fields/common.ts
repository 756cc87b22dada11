import type { Agent } from "../../../agent/agent.ts"
import { meansEveryTool } from "../../../agent/format-traits.ts"
import { isModeWithoutEffect, partsWithoutEffect } from "../../../agent/without-effect.ts"
import { isNameColour, nameColours } from "../../../ground/diagnostics/paint.ts"
import type { ValueType } from "../../../ground/keys.ts"
import type { RunLimits } from "../../../ground/limits.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Draft, Field, NoEffect } from "./field.ts"

export const textType: ValueType = { type: "text" }
export const wordsType: ValueType = { type: "words" }
export const flagType: ValueType = { type: "flag" }
export const mapType: ValueType = { type: "map" }
export const listType: ValueType = { type: "list" }
export const anyType: ValueType = { type: "any" }

/** A field that is the same in the file and in the agent. */
export function defineSameField(key: string, into: keyof Agent, type: ValueType, doc: string): Field {
  return {
    key,
    doc,
    type,
    into,
    read: (draft, value) => {
      ;(draft as Record<string, Json>)[into] = value
    },
    write: (agent) => agent[into] as Json | undefined,
  }
}

export const defineNameField = (doc: string): Field => ({
  ...defineSameField("name", "name", textType, doc),
  required: "required",
})

export const defineDescriptionField = (doc = "When to hand work to this agent."): Field => ({
  ...defineSameField("description", "description", textType, doc),
  required: "required",
  write: (agent) => agent.description || undefined,
})

export const defineAllowedToolsField = (doc: string, format: string): Field<string[]> => ({
  key: "tools",
  doc,
  type: wordsType,
  into: "tools.allow",
  otherwise: `${meansEveryTool(format) ? "every tool that the tree may use" : "the tools of its caller"}; an empty list grants nothing`,
  read: (draft, allow) => {
    draft.tools = { mode: "list", allow, deny: draft.tools?.deny ?? [] }
  },
  refuse: (draft) => {
    draft.tools = { mode: "list", allow: [], deny: draft.tools?.deny ?? [] }
  },
  write: ({ tools }) => (tools.mode === "list" ? [...tools.allow] : undefined),
})

export const defineDisallowedToolsField = (key: string, doc: string): Field<string[]> => ({
  key,
  doc,
  type: wordsType,
  into: "tools.deny",
  otherwise: "no tool is removed",
  read: (draft, deny) => {
    draft.tools = { mode: "inherit", allow: [], ...draft.tools, deny }
  },
  refuse: (draft) => {
    draft.tools = { mode: "inherit", allow: [], ...draft.tools, deny: ["*"] }
  },
  write: ({ tools }) => (tools.deny.length > 0 ? [...tools.deny] : undefined),
})

/** A limit at the top level of the file. `unit` is the amount in the agent that 1 in the file stands for. */
export function defineLimitField(
  key: string,
  into: keyof RunLimits,
  type: Extract<ValueType, { type: "number" }>,
  doc: string,
  unit = 1,
): Field<number> {
  return {
    key,
    doc,
    type,
    into: `limits.${into}`,
    read: (draft, value) => {
      // A value above the largest safe integer is no bound at all.
      draft.limits = { ...draft.limits, [into]: Math.min(convertUnits(value, unit), Number.MAX_SAFE_INTEGER) }
    },
    write: ({ limits }) => {
      const value = limits[into]
      return value === undefined ? undefined : value / unit
    },
  }
}

/** Converts without a rounding error: 1.001 seconds are exactly 1001 milliseconds. */
export const convertUnits = (value: number, unit: number): number =>
  unit === 1 ? value : Number((value * unit).toPrecision(12))

/** A field for a known key that no part of an agent can hold. Its value stays in the extensions, null included. */
export const defineExtensionField = (
  format: string,
  key: string,
  type: ValueType,
  doc: string,
  effect?: "informs" | readonly NoEffect[],
): Field => ({
  key,
  doc,
  type,
  ...(effect && { effect }),
  read: (draft, value) => keepExtension(draft, format, { [key]: value }),
  write: ({ extensions }) => extensions?.[format]?.[key],
})

/** Adds values that no part of an agent can hold to its extensions. */
export function keepExtension(draft: Draft, format: string, values: JsonMap): void {
  draft.extensions = { ...draft.extensions, [format]: { ...draft.extensions?.[format], ...values } }
}

export const defineModelNameField = (doc: string, type: ValueType = textType): Field => ({
  ...defineSameField("model", "model", type, doc),
  otherwise: "the model of its caller",
})

export const labelField: Field = defineSameField(
  "label",
  "label",
  textType,
  "A text shown beside the name, in `cadre list` and while the agent runs.",
)

export const colorField: Field = {
  ...defineSameField(
    "color",
    "color",
    textType,
    `The colour of the name in \`cadre list\` and while the agent runs: ${nameColours.join(", ")}.`,
  ),
  effect: [
    {
      why: `the colours are ${nameColours.join(", ")}`,
      severity: "info",
      when: (color) => !isNameColour(color),
    },
  ],
}

export const memoryField: Field = {
  ...defineSameField(
    "memory",
    "memory",
    { type: "choice", of: ["user", "project", "local"] },
    "The place where the agent keeps notes between runs.",
  ),
  effect: [{ why: partsWithoutEffect.memory, severity: "info" }],
}

export const permissionModeField: Field = {
  ...defineSameField(
    "permissionMode",
    "permissionMode",
    {
      type: "choice",
      of: ["default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan", "manual"],
    },
    "`plan`: the agent changes nothing. The other modes have no effect: the user chooses how much to be asked.",
  ),
  effect: [
    // The host would have denied every call that needs approval.
    { why: partsWithoutEffect.permissionMode, severity: "warning", when: (mode) => mode === "dontAsk" },
    {
      why: partsWithoutEffect.permissionMode,
      severity: "info",
      // The rule `grant-dangerous` reports the mode that allows everything.
      when: (mode) =>
        isModeWithoutEffect(mode as string) && mode !== "dontAsk" && mode !== "bypassPermissions",
    },
  ],
}

/** A field about the agent's own run. With `mode: self` the agent has no run of its own. */
export const markForOwnRun = <Value extends Json>(field: Field<Value>): Field<Value> => ({
  ...field,
  effect: [
    ...(field.effect === undefined || field.effect === "informs" ? [] : field.effect),
    {
      why: "with `mode: self` the agent has no run of its own, and the run that activates it keeps its own value",
      severity: "warning",
      when: (_, { mode }) => mode === "self",
    },
  ],
})

/** Claude Code sends it to the main agent as the first message. */
export const initialPromptEffect = { why: partsWithoutEffect.initialPrompt, severity: "info" } as const

export const backgroundField: Field = defineSameField(
  "background",
  "background",
  flagType,
  "`true`: the agent always runs in the background when a model calls it. The call ends at once, and the report arrives as a message. Hooks, pipelines and programs that start the agent decide for themselves.",
)
