import path from "node:path"
import { trimBody } from "../../agent/agent.ts"
import { listKnownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { findUnsetVariables, listUsedVariables, parseTemplate } from "../../language/template/index.ts"
import { describeUnrendered, findTemplateSyntax } from "../../language/template/unrendered.ts"
import type { Values } from "./document/document.ts"
import { defineLimitField, defineNameField, listType, mapType, textType } from "./fields/common.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import { explainInnerKey } from "./fields/unknown-key.ts"
import type { Format } from "./format.ts"
import { placeInside } from "./problem.ts"
import { findAgentsDir, readRemoraTools, writeRemoraTools } from "./remora-tools.ts"
import { isFile, resolvePath, toRelativePath } from "./resolve-path.ts"

/** The variables that Remora fills into `node_context`; in cadre a run sets them. */
const nodeVariables = ["node_text", "node_name", "node_type", "file_path"]

const prefixUnread = (message: string, file: string) =>
  `Failed to read subagent definition: ${file}. ${message}`
const prefixUnparsed = (message: string, file: string) =>
  `Invalid YAML in subagent definition: ${file}. ${message}`
const prefixNoMapping = (message: string, file: string) =>
  `Subagent definition must be a mapping: ${file}. ${message}`

/** Remora's subagents, by their first design. The later shape is read where it fits the first. */
export const remora: Format = {
  id: "remora",
  title: "Remora",
  doc: "Subagents of Remora: YAML with a local model, a templated first message, and scripts as tools, one of which submits the result.",
  locations: {
    project: ["agents"],
    user: [],
    depth: "nested",
    extensions: [".yaml", ".yml"],
    only: /_subagent\.ya?ml$/,
  },
  name: { pattern: /./, message: (name) => `invalid agent name \`${name}\`` },
  instructions: "required",
  instructionsKey: null,
  unknownKeys: "ignored",
  repairs: "refused",
  looksOutside: true,
  foreignCode: "AGENT_001",
  textVariables: nodeVariables,
  messages: {
    "file-unreadable": prefixUnread,
    "file-special": prefixUnread,
    "file-too-large": prefixUnread,
    "text-not-utf8": prefixUnread,
    "text-binary": prefixUnread,
    "yaml-invalid": prefixUnparsed,
    "yaml-repaired": prefixUnparsed,
    "key-duplicate": prefixUnparsed,
    "map-expected": prefixNoMapping,
    "file-empty": prefixNoMapping,
    "instructions-missing": () =>
      "missing required field: initial_context.system_prompt. The text that the model reads before everything else.",
  },
  defaults(draft) {
    draft.limits = { maxTurns: 20, toolTimeout: 300_000 }
    draft.tools = { mode: "list", allow: [], deny: [] }
  },
  fields: [
    defineNameField("The name of the agent."),
    {
      key: "model",
      doc: "The file of a local model (`.gguf`), relative to the agents folder. The file is not opened: a run asks a llama-server for the model of that name.",
      type: textType,
      into: "model",
      read: (draft, value: string, { path: file, options, report }) => {
        const model = resolvePath(findAgentsDir(file, options), value)
        draft.model = model
        if (!isFile(model))
          report({
            code: "path-missing",
            severity: "warning",
            message: `Model file not found: ${model}. ${howServed(model)}`,
            at: { type: "value", path: ["model"] },
          })
      },
      write: ({ model }, { path: file, options }) =>
        isPath(model) ? toRelativePath(findAgentsDir(file, options), model) : undefined,
    } satisfies Field<string>,
    {
      key: "model_id",
      doc: "The name of a model on a server, in place of a file; null for the default of the server.",
      type: { type: "either", of: [textType, { type: "null" }] },
      into: "model",
      read: (draft, value: string | null) => {
        if (draft.model === undefined) draft.model = value
      },
      write: ({ model }) =>
        !isPath(model) && (typeof model === "string" || model === null) ? model : undefined,
    } satisfies Field<string | null>,
    {
      ...defineLimitField(
        "max_turns",
        "maxTurns",
        { type: "number", minimum: 1, whole: "whole" },
        "The most turns of a run.",
      ),
      otherwise: "20",
    },
    {
      key: "initial_context",
      doc: "`system_prompt`, and `node_context`: a Jinja2 template of the first message. It can use the variables of the run and its `task`. `--node PATH::NAME` sets node_text, node_name, node_type and file_path.",
      type: mapType,
      required: "required",
      into: "instructions",
      parts: { template: ["node_context"], callVariables: ["node_context"] },
      read: readContext,
      write: ({ instructions, template, origin }) => {
        const { before, after } = (origin.format === "remora" && origin.margins) || { before: "", after: "" }
        return {
          system_prompt: before + instructions + after,
          ...(template?.context !== undefined && { node_context: template.context }),
        }
      },
    } satisfies Field<Values>,
    {
      key: "tools",
      doc: "The tools: name, pym (a script), description, parameters, context_providers; or tool_name, pym, tool_description, inputs_override, with the parameters that the script declares. One of them is `submit_result`.",
      type: listType,
      required: "required",
      into: "tools.allow",
      parts: { toolDefinitions: [], result: [] },
      read: (draft, entries: readonly Json[], reading) => readRemoraTools(draft, entries, reading),
      write: writeRemoraTools,
    } satisfies Field<readonly Json[]>,
  ],
  finish(draft, values, { report }) {
    const isLater = draft.toolDefinitions?.some(({ parameters }) => parameters === undefined)
    if (values.model === undefined && values.model_id === undefined && !isLater)
      report({
        code: "field-missing",
        severity: "error",
        message:
          "missing required field: model. The file of a local model, or `model_id` for one on a server.",
        at: { type: "start" },
      })
    if (values.model !== undefined && values.model_id !== undefined)
      report({
        code: "key-superseded",
        severity: "warning",
        message: "`model_id` has no effect, because `model` is set too. Remove one of the two.",
        at: { type: "key", path: ["model_id"] },
      })
  },
}

/** Explains how to serve the model. This is true even if the file exists, because cadre loads no model files. */
function howServed(model: string): string {
  if (!model.endsWith(".gguf"))
    return "No server offers a model by such a name: write the name of a `.gguf` file, or use `model_id`."
  const name = JSON.stringify(path.basename(model, ".gguf"))
  return `cadre does not load model files yet: a run asks a llama-server for the model ${name}. Start one with that file, or name another model (\`--model\`, \`model_id\`).`
}

const contextKeys: ReadonlySet<string> = new Set(["system_prompt", "node_context"])

const isPath = (model: unknown): model is string => typeof model === "string" && path.isAbsolute(model)

function readContext(draft: Draft, context: Values, reading: FieldReading): void {
  const { report } = reading
  const { system_prompt, node_context, ...rest } = context
  for (const [key, value] of Object.entries({ system_prompt, node_context }))
    if (value !== undefined && typeof value !== "string")
      report({
        code: "field-type",
        severity: "error",
        message: `\`initial_context.${key}\` must be text, but it is ${JSON.stringify(value)}.`,
        at: { type: "value", path: ["initial_context", key] },
      })
  for (const key of Object.keys(rest))
    report(
      explainInnerKey(["initial_context", key], contextKeys, {
        is: `\`initial_context.${key}\` is not a key of Remora files`,
        otherwise: " and has no effect.",
        severity: "info",
      }),
    )
  if (typeof system_prompt === "string") {
    const { instructions, before, after } = trimBody(system_prompt)
    draft.instructions = instructions
    draft.origin = { format: "remora", margins: { before, after } }
    const template = findTemplateSyntax(instructions)
    if (template !== undefined)
      report({
        code: "template-variable",
        severity: "warning",
        message: `${describeUnrendered(template)} Move it to \`node_context\`, which is rendered.`,
        at: placeInside(
          ["initial_context", "system_prompt"],
          system_prompt,
          system_prompt.indexOf(template),
          template.length,
        ),
      })
  }
  if (typeof node_context === "string") {
    draft.template = { task: "message", context: node_context }
    const callVariables = readTemplate(node_context, reading)
    if (callVariables.length > 0) draft.callVariables = callVariables
  } else if (node_context === undefined)
    report({
      code: "field-missing",
      severity: "error",
      message:
        "missing required field: initial_context.node_context. A Jinja2 template of the first message.",
      at: { type: "value", path: ["initial_context"] },
    })
}

/** The variables of a node that the template uses. An agent that calls this one may set them, as Remora does. */
function readTemplate(template: string, { path: file, report }: FieldReading): readonly string[] {
  const at = (offset: number, length: number) =>
    placeInside(["initial_context", "node_context"], template, offset, length)
  const parsed = parseTemplate(template)
  if (parsed.type === "invalid") {
    const { message, offset } = parsed.problem
    const line = /^.*/.exec(template.slice(offset))![0]
    report({
      code: "template-invalid",
      severity: "error",
      message: `Invalid Jinja2 template in node_context of ${file}: ${message}`,
      at: at(offset, line.length),
    })
    return []
  }
  const uses = listUsedVariables(parsed)
  const provided = Object.fromEntries([...nodeVariables, "task"].map((name) => [name, ""]))
  const required = new Set(findUnsetVariables(parsed, provided).map(({ name }) => name))
  for (const { name, offset } of uses.filter((use) => !Object.hasOwn(provided, use.name)))
    report({
      code: "template-variable",
      severity: "warning",
      message: `Remora does not set \`${name}\`. Unless a run sets it (\`--var ${name}=…\`), ${required.has(name) ? "the agent does not start" : "the template is rendered without it"}. ${listKnownNames(name, Object.keys(provided))}`,
      at: at(offset, name.length),
    })
  return nodeVariables.filter((name) => uses.some((use) => use.name === name))
}
