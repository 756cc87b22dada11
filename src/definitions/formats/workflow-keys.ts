import { type Key, schemaOf, type ValueType } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { any, list, map, text, words } from "./fields/common.ts"

/** One key of a workflow or of something in it. Reading, checks, the JSON Schema and the reference page come from these. */
export interface WorkflowKey extends Omit<Key, "aliases"> {
  readonly required?: "required"
  /** Without it more is allowed, so one that is left blank is no value. */
  readonly narrows?: "narrows"
  /** What holds where it is left out, in words. */
  readonly otherwise?: string
  /** What it is, or what each of its entries is, where that has keys of its own. */
  readonly of?: WorkflowPart
}

export type WorkflowPart = "workflow" | "step" | "transition" | "entry" | "reaction" | "stop" | "settings"

const allOrWords: ValueType = { type: "either", of: [{ type: "choice", of: ["all"] }, words] }
const oneOrMore: ValueType = { type: "either", of: [list, map] }

const entries = (key: string, doc: string, of: WorkflowPart): WorkflowKey => ({
  key,
  doc,
  type: oneOrMore,
  of,
  otherwise: "nothing happens",
})

const when: WorkflowKey = {
  key: "when",
  doc: "A condition, written as those of hooks are.",
  type: text,
  narrows: "narrows",
  otherwise: "always",
}

/** Everything that a workflow can say. What holds the effects of an entry is not listed: those are the effects of hooks. */
export const workflowParts: Readonly<Record<WorkflowPart, readonly WorkflowKey[]>> = {
  workflow: [
    {
      key: "name",
      doc: "What it is called, to the model and in results.",
      type: text,
      otherwise: "the name of its file, or of the agent that it stands in",
    },
    { key: "description", doc: "What it is for: the model is told when it begins.", type: text },
    { key: "version", doc: "Stands in the result of a run beside the name.", type: any },
    {
      key: "type",
      doc: "`step`: this is a workflow, and neither a set of hooks nor a pipeline.",
      type: { type: "choice", of: ["step"] },
      otherwise: "`step`",
    },
    {
      key: "format",
      doc: "`gobby`: conditions, texts and rules are written as in Gobby's files.",
      type: { type: "choice", of: ["gobby"] },
      otherwise: "cadre's own",
    },
    {
      key: "variables",
      doc: "Values that the run starts with; those of the definition and of the call win.",
      type: map,
      otherwise: "none",
    },
    {
      key: "steps",
      doc: "The steps. A run begins in the first.",
      type: list,
      required: "required",
      of: "step",
    },
    {
      key: "exit_condition",
      doc: "When this holds, the workflow is complete.",
      type: text,
      otherwise:
        "it is complete in a step that nothing leads out of, or when `exit_when` of the last one holds",
    },
    {
      key: "on_premature_stop",
      doc: "What becomes of a run that wants to end before the workflow is complete; a text is its `message`.",
      type: { type: "either", of: [text, map] },
      of: "stop",
      otherwise: "it is told so where the step has anything that leads on",
    },
    entries("on_error", "When a call has failed, in any step, after what the step itself says.", "reaction"),
    { key: "settings", doc: "Further settings.", type: map, of: "settings", otherwise: "none" },
  ],
  step: [
    { key: "name", doc: "What it is called.", type: text, required: "required" },
    { key: "description", doc: "What it is for: the model is told when it begins.", type: text },
    {
      key: "status_message",
      doc: "What the model is told when it begins; a template.",
      type: text,
    },
    {
      key: "allowed_tools",
      doc: "The tools that may be used, or `all`. Names of other hosts and `*` are understood; an empty list allows none.",
      type: allOrWords,
      narrows: "narrows",
      otherwise: "all that the run has",
    },
    {
      key: "blocked_tools",
      doc: "Tools that may not be used, whatever is allowed.",
      type: words,
      narrows: "narrows",
      otherwise: "none",
    },
    {
      key: "allowed_mcp_tools",
      doc: "The tools of MCP servers that may be used, as `server:tool` or `server:*`, or `all`.",
      type: allOrWords,
      narrows: "narrows",
      otherwise: "what `allowed_tools` says",
    },
    {
      key: "blocked_mcp_tools",
      doc: "Tools of MCP servers that may not be used, whatever is allowed.",
      type: words,
      narrows: "narrows",
      otherwise: "none",
    },
    entries("on_enter", "When the step begins.", "entry"),
    entries("on_exit", "When the step is left.", "entry"),
    entries("on_success", "When a call has worked.", "reaction"),
    entries("on_error", "When a call has failed.", "reaction"),
    entries("on_mcp_success", "When a call of an MCP server's tool has worked.", "reaction"),
    entries("on_mcp_error", "When a call of an MCP server's tool has failed.", "reaction"),
    {
      key: "transitions",
      doc: "Where to go from here: after each call, the first whose `when` holds.",
      type: oneOrMore,
      of: "transition",
      otherwise: "nowhere",
    },
    {
      key: "exit_when",
      doc: "Where this holds and no transition does, the next step of the list follows; after the last one the workflow is complete.",
      type: text,
      otherwise: "only transitions lead on",
    },
  ],
  transition: [
    { key: "to", doc: "The step that follows.", type: text, required: "required" },
    { ...when, otherwise: "after any call that has worked" },
    entries("on_transition", "Between the end of the one step and the beginning of the other.", "entry"),
  ],
  entry: [when],
  reaction: [
    when,
    {
      key: "tool",
      doc: "The tools whose calls it is for; of an MCP server's, the name on its server.",
      type: words,
      otherwise: "every tool",
    },
    { key: "server", doc: "The MCP server whose tools it is for.", type: text, otherwise: "every one" },
  ],
  stop: [
    {
      key: "action",
      doc: "`guide_continuation` or `block`: the run goes on, and is told so. `warn`: it ends, and only the result says so.",
      type: { type: "choice", of: ["guide_continuation", "block", "warn"] },
      otherwise: "`guide_continuation`",
    },
    {
      key: "message",
      doc: "What the model is told; a template.",
      type: text,
      otherwise: "which step it is in",
    },
    { key: "condition", doc: "It is for stops where this holds.", type: text, otherwise: "always" },
  ],
  settings: [
    {
      key: "premature_stop_max_attempts",
      doc: "How often a run is told to go on before it may end, where the limit `maxStopRounds` lets it be told so often.",
      type: { type: "number", minimum: 1, maximum: 100, whole: "whole" },
      otherwise: "as often as `maxStopRounds` says",
    },
  ],
}

/** Every key, as `step.allowed_tools`. */
export const workflowKeyNames: readonly string[] = Object.entries(workflowParts).flatMap(([part, keys]) =>
  keys.map(({ key }) => `${part}.${key}`),
)

/** The JSON Schema of a workflow, for editors. */
export function workflowSchema(): JsonSchema {
  const definitions = Object.fromEntries(
    Object.entries(workflowParts).map(([part, keys]) => [part, partSchema(part as WorkflowPart, keys)]),
  )
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Workflow",
    ...(definitions.workflow as { [key: string]: Json }),
    $defs: definitions,
  }
}

function partSchema(part: WorkflowPart, keys: readonly WorkflowKey[]): Json {
  return {
    type: "object",
    properties: Object.fromEntries(
      keys.map(({ key, doc, otherwise, type, of }) => [
        key,
        {
          description: otherwise === undefined ? doc : `${doc} Left out: ${otherwise}.`,
          ...(of ? innerSchema(type, { $ref: `#/$defs/${of}` }) : schemaOf(type)),
        },
      ]),
    ),
    required: keys.filter(({ required }) => required).map(({ key }) => key),
    // Effects stand beside these, as they do in a hook.
    additionalProperties: part === "entry" || part === "reaction",
  }
}

function innerSchema(type: ValueType, entry: Json): { [key: string]: Json } {
  switch (type.type) {
    case "list":
      return { type: "array", items: entry }
    case "map":
      return entry as { [key: string]: Json }
    case "either":
      return { anyOf: type.of.map((inner) => innerSchema(inner, entry)) }
    default:
      return schemaOf(type)
  }
}
