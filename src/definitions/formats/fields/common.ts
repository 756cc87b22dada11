import type { Agent } from "../../../agent/agent.ts"
import { meansEveryTool } from "../../../agent/ways.ts"
import { isIdleMode, withoutEffect } from "../../../agent/without-effect.ts"
import { isNameColour, nameColours } from "../../../ground/diagnostics/paint.ts"
import type { ValueType } from "../../../ground/keys.ts"
import type { Limits } from "../../../ground/limits.ts"
import type { Json, JsonMap } from "../../../ground/message.ts"
import type { Draft, Field, NoEffect } from "./field.ts"

export const text: ValueType = { type: "text" }
export const words: ValueType = { type: "words" }
export const flag: ValueType = { type: "flag" }
export const map: ValueType = { type: "map" }
export const list: ValueType = { type: "list" }
export const any: ValueType = { type: "any" }

/** A field that is the same in the file and in the agent. */
export function same(key: string, into: keyof Agent, type: ValueType, doc: string): Field {
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

export const name = (doc: string): Field => ({
  ...same("name", "name", text, doc),
  required: "required",
})

export const description = (doc = "When to hand work to this agent."): Field => ({
  ...same("description", "description", text, doc),
  required: "required",
  write: (agent) => agent.description || undefined,
})

export const tools = (doc: string, format: string): Field<string[]> => ({
  key: "tools",
  doc,
  type: words,
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

export const disallowedTools = (key: string, doc: string): Field<string[]> => ({
  key,
  doc,
  type: words,
  into: "tools.deny",
  otherwise: "nothing is taken away",
  read: (draft, deny) => {
    draft.tools = { mode: "inherit", allow: [], ...draft.tools, deny }
  },
  refuse: (draft) => {
    draft.tools = { mode: "inherit", allow: [], ...draft.tools, deny: ["*"] }
  },
  write: ({ tools }) => (tools.deny.length > 0 ? [...tools.deny] : undefined),
})

/** A limit at the top level of the file. `unit` is what one means in the agent. */
export function limit(
  key: string,
  into: keyof Limits,
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
      // More than a number can hold is no bound at all.
      draft.limits = { ...draft.limits, [into]: Math.min(inUnits(value, unit), Number.MAX_SAFE_INTEGER) }
    },
    write: ({ limits }) => {
      const value = limits[into]
      return value === undefined ? undefined : value / unit
    },
  }
}

/** 1.001 seconds are 1001 milliseconds, and not a hair less. */
export const inUnits = (value: number, unit: number): number =>
  unit === 1 ? value : Number((value * unit).toPrecision(12))

/** A key that is known and has no place in an agent: it stays among the extensions, and null stays null. */
export const kept = (
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
  read: (draft, value) => keep(draft, format, { [key]: value }),
  write: ({ extensions }) => extensions?.[format]?.[key],
})

/** Adds what a file says, and an agent cannot, to its extensions. */
export function keep(draft: Draft, format: string, values: JsonMap): void {
  draft.extensions = { ...draft.extensions, [format]: { ...draft.extensions?.[format], ...values } }
}

export const model = (doc: string, type: ValueType = text): Field => ({
  ...same("model", "model", type, doc),
  otherwise: "the model of whoever calls it",
})

export const label: Field = same(
  "label",
  "label",
  text,
  "What people see beside the name, in `cadre list` and while it runs.",
)

export const color: Field = {
  ...same(
    "color",
    "color",
    text,
    `The colour its name is shown in, in \`cadre list\` and while it runs: ${nameColours.join(", ")}.`,
  ),
  effect: [
    {
      why: `the colours are ${nameColours.join(", ")}`,
      severity: "info",
      when: (color) => !isNameColour(color),
    },
  ],
}

export const memory: Field = {
  ...same(
    "memory",
    "memory",
    { type: "choice", of: ["user", "project", "local"] },
    "Where it keeps notes of its own from run to run.",
  ),
  effect: [{ why: withoutEffect.memory, severity: "info" }],
}

export const mcpServers: Field = {
  ...same(
    "mcpServers",
    "mcpServers",
    list,
    "MCP servers: names of configured ones, or `{name: configuration}`.",
  ),
  effect: [{ why: withoutEffect.mcpServers, severity: "warning" }],
}

export const permissionMode: Field = {
  ...same(
    "permissionMode",
    "permissionMode",
    {
      type: "choice",
      of: ["default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan", "manual"],
    },
    "`plan`: it changes nothing. The other modes have no effect: how much is asked is for the person to choose.",
  ),
  effect: [
    // Without a person to ask it would have been denied.
    { why: withoutEffect.permissionMode, severity: "warning", when: (mode) => mode === "dontAsk" },
    {
      why: withoutEffect.permissionMode,
      severity: "info",
      // `grant-dangerous` tells of what would allow everything.
      when: (mode) => isIdleMode(mode as string) && mode !== "dontAsk" && mode !== "bypassPermissions",
    },
  ],
}

/** A field that says how the agent's own run goes: with `mode: self` it has no run of its own. */
export const ofOwnRun = <Value extends Json>(field: Field<Value>): Field<Value> => ({
  ...field,
  effect: [
    ...(field.effect === undefined || field.effect === "informs" ? [] : field.effect),
    {
      why: "with `mode: self` the run that calls the agent takes it on, and keeps its own",
      severity: "warning",
      when: (_, { mode }) => mode === "self",
    },
  ],
})

/** Claude Code: what the main agent is told first. */
export const initialPrompt = { why: withoutEffect.initialPrompt, severity: "info" } as const

export const background: Field = same(
  "background",
  "background",
  flag,
  "Whether it always runs in the background where a model calls it: the call ends at once, and the report comes as a message. Hooks, pipelines and programs that start it decide for themselves.",
)
