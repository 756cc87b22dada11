import { type Key, toValueSchema, type ValueType } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { anyType, listType, mapType, textType, wordsType } from "./fields/common.ts"

/** One key of a workflow or of a part of it. Reading, checks, the JSON Schema and the reference page come from these. */
export interface WorkflowKey extends Omit<Key, "aliases"> {
  readonly required?: "required"
  /** The key narrows what is allowed, so a blank value is invalid. */
  readonly narrows?: "narrows"
  /** The default when the key is absent, in words. */
  readonly otherwise?: string
  /** The kind of its value, or of each of its entries, if that has keys of its own. */
  readonly of?: WorkflowPart
}

export type WorkflowPart = "workflow" | "step" | "transition" | "entry" | "reaction" | "stop" | "settings"

const allOrWords: ValueType = { type: "either", of: [{ type: "choice", of: ["all"] }, wordsType] }
const oneOrMore: ValueType = { type: "either", of: [listType, mapType] }

const entries = (key: string, doc: string, of: WorkflowPart): WorkflowKey => ({
  key,
  doc,
  type: oneOrMore,
  of,
  otherwise: "nothing happens",
})

const when: WorkflowKey = {
  key: "when",
  doc: "A condition, written like the conditions of hooks.",
  type: textType,
  narrows: "narrows",
  otherwise: "always",
}

/** All keys of workflows. The keys for effects of an entry are not listed: they are the effects of hooks. */
export const workflowParts: Readonly<Record<WorkflowPart, readonly WorkflowKey[]>> = {
  workflow: [
    {
      key: "name",
      doc: "The name of the workflow, for the model and in results.",
      type: textType,
      otherwise: "the name of its file, or of the agent that contains it",
    },
    {
      key: "description",
      doc: "The purpose of the workflow. The model reads it when the workflow begins.",
      type: textType,
    },
    { key: "version", doc: "The version, which the result of a run has beside the name.", type: anyType },
    {
      key: "type",
      doc: "`step`: this file is a workflow, and not a hook set or a pipeline.",
      type: { type: "choice", of: ["step"] },
      otherwise: "`step`",
    },
    {
      key: "format",
      doc: "`gobby`: conditions, texts and rules use the syntax of Gobby's files.",
      type: { type: "choice", of: ["gobby"] },
      otherwise: "the syntax of cadre",
    },
    {
      key: "variables",
      doc: "Initial values of variables. The agent's definition and the call override them.",
      type: mapType,
      otherwise: "none",
    },
    {
      key: "steps",
      doc: "The steps. A run begins in the first.",
      type: listType,
      required: "required",
      of: "step",
    },
    {
      key: "exit_condition",
      doc: "The workflow is complete when this condition is true.",
      type: textType,
      otherwise:
        "the workflow is complete in a step without a way out, or when `exit_when` of the last step is true",
    },
    {
      key: "on_premature_stop",
      doc: "The reaction to a run that wants to end before the workflow is complete. A text is short for its `message`.",
      type: { type: "either", of: [textType, mapType] },
      of: "stop",
      otherwise: "the model is told to go on, if the step has a way out",
    },
    entries(
      "on_error",
      "Effects after a failed call in any step. Those of the step itself come first.",
      "reaction",
    ),
    {
      key: "settings",
      doc: "More settings of the workflow.",
      type: mapType,
      of: "settings",
      otherwise: "none",
    },
  ],
  step: [
    { key: "name", doc: "The name of the step.", type: textType, required: "required" },
    {
      key: "description",
      doc: "The purpose of the step. The model reads it when the step begins.",
      type: textType,
    },
    {
      key: "status_message",
      doc: "A template of the message that the model gets when the step begins.",
      type: textType,
    },
    {
      key: "allowed_tools",
      doc: "The tools that may be used, or `all`. Tool names of other hosts and `*` work too; an empty list allows none.",
      type: allOrWords,
      narrows: "narrows",
      otherwise: "all tools of the run",
    },
    {
      key: "blocked_tools",
      doc: "Tools that may not be used, even if they are allowed.",
      type: wordsType,
      narrows: "narrows",
      otherwise: "none",
    },
    {
      key: "allowed_mcp_tools",
      doc: "The tools of MCP servers that may be used, as `server:tool` or `server:*`, or `all`.",
      type: allOrWords,
      narrows: "narrows",
      otherwise: "those that `allowed_tools` allows",
    },
    {
      key: "blocked_mcp_tools",
      doc: "Tools of MCP servers that may not be used, even if they are allowed.",
      type: wordsType,
      narrows: "narrows",
      otherwise: "none",
    },
    entries("on_enter", "Effects when the step begins.", "entry"),
    entries("on_exit", "Effects when the step ends.", "entry"),
    entries("on_success", "Effects after a successful call.", "reaction"),
    entries("on_error", "Effects after a failed call.", "reaction"),
    entries("on_mcp_success", "Effects after a successful call of an MCP server's tool.", "reaction"),
    entries("on_mcp_error", "Effects after a failed call of an MCP server's tool.", "reaction"),
    {
      key: "transitions",
      doc: "The ways to other steps. After each call, the first whose `when` is true is taken.",
      type: oneOrMore,
      of: "transition",
      otherwise: "none",
    },
    {
      key: "exit_when",
      doc: "If this is true and no transition applies, the next step of the list follows. After the last step the workflow is complete.",
      type: textType,
      otherwise: "only transitions lead to another step",
    },
  ],
  transition: [
    { key: "to", doc: "The step that follows.", type: textType, required: "required" },
    { ...when, otherwise: "after any successful call" },
    entries("on_transition", "Effects between the end of one step and the beginning of the next.", "entry"),
  ],
  entry: [when],
  reaction: [
    when,
    {
      key: "tool",
      doc: "The tools whose calls it applies to. A tool of an MCP server has its name on that server.",
      type: wordsType,
      otherwise: "every tool",
    },
    {
      key: "server",
      doc: "The MCP server whose tools it applies to.",
      type: textType,
      otherwise: "every server",
    },
  ],
  stop: [
    {
      key: "action",
      doc: "`guide_continuation` or `block`: the run goes on, and the model is told so. `warn`: the run ends, and only its result says so.",
      type: { type: "choice", of: ["guide_continuation", "block", "warn"] },
      otherwise: "`guide_continuation`",
    },
    {
      key: "message",
      doc: "A template of the message to the model.",
      type: textType,
      otherwise: "a message that names the current step",
    },
    { key: "condition", doc: "It applies only if this is true.", type: textType, otherwise: "always" },
  ],
  settings: [
    {
      key: "premature_stop_max_attempts",
      doc: "The number of times that a run is told to go on before it may end, at most `maxStopRounds`.",
      type: { type: "number", minimum: 1, maximum: 100, whole: "whole" },
      otherwise: "`maxStopRounds`",
    },
  ],
}

/** Every key, as `step.allowed_tools`. */
export const workflowKeyNames: readonly string[] = Object.entries(workflowParts).flatMap(([part, keys]) =>
  keys.map(({ key }) => `${part}.${key}`),
)

/** The JSON Schema of a workflow, for editors. */
export function buildWorkflowSchema(): JsonSchema {
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
          description: otherwise === undefined ? doc : `${doc} Default: ${otherwise}.`,
          ...(of ? innerSchema(type, { $ref: `#/$defs/${of}` }) : toValueSchema(type)),
        },
      ]),
    ),
    required: keys.filter(({ required }) => required).map(({ key }) => key),
    // Keys for effects may follow, as in a hook.
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
      return toValueSchema(type)
  }
}
