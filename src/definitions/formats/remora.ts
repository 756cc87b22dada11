import path from "node:path"
import { trimBody } from "../../agent/agent.ts"
import { knownNames } from "../../ground/errors.ts"
import type { Json } from "../../ground/message.ts"
import { parseTemplate, unsetVariables, variablesOf } from "../../language/template/index.ts"
import { templateIn, unrendered } from "../../language/template/unrendered.ts"
import type { Values } from "./document/document.ts"
import { limit, list, map, name, text } from "./fields/common.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import { explainInner } from "./fields/unknown-key.ts"
import type { Format } from "./format.ts"
import { placeInside } from "./problem.ts"
import { agentsDirOf, readTools, writeTools } from "./remora-tools.ts"
import { isFile, relativePath, resolvePath } from "./resolve-path.ts"

/** What Remora fills a template of a node's context with; here a run sets them. */
const nodeVariables = ["node_text", "node_name", "node_type", "file_path"]

const unread = (message: string, file: string) => `Failed to read subagent definition: ${file}. ${message}`
const unparsed = (message: string, file: string) => `Invalid YAML in subagent definition: ${file}. ${message}`
const noMapping = (message: string, file: string) =>
  `Subagent definition must be a mapping: ${file}. ${message}`

/** Remora's subagents, as first designed; the shape that followed is read as far as it can be. */
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
    "file-unreadable": unread,
    "file-special": unread,
    "file-too-large": unread,
    "text-not-utf8": unread,
    "text-binary": unread,
    "yaml-invalid": unparsed,
    "yaml-repaired": unparsed,
    "key-duplicate": unparsed,
    "map-expected": noMapping,
    "file-empty": noMapping,
    "instructions-missing": () =>
      "missing required field: initial_context.system_prompt. What the model is told before everything else.",
  },
  defaults(draft) {
    draft.limits = { maxTurns: 20, toolTimeout: 300_000 }
    draft.tools = { mode: "list", allow: [], deny: [] }
  },
  fields: [
    name("What the agent is called."),
    {
      key: "model",
      doc: "The file of a local model (`.gguf`), relative to the folder of the agents. It is not opened here: a llama-server is asked for the model of that name.",
      type: text,
      into: "model",
      read: (draft, value: string, { path: file, options, report }) => {
        const model = resolvePath(agentsDirOf(file, options), value)
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
        isPath(model) ? relativePath(agentsDirOf(file, options), model) : undefined,
    } satisfies Field<string>,
    {
      key: "model_id",
      doc: "The model by its name on a server, in place of a file; null for the server's own.",
      type: { type: "either", of: [text, { type: "null" }] },
      into: "model",
      read: (draft, value: string | null) => {
        if (draft.model === undefined) draft.model = value
      },
      write: ({ model }) =>
        !isPath(model) && (typeof model === "string" || model === null) ? model : undefined,
    } satisfies Field<string | null>,
    {
      ...limit(
        "max_turns",
        "maxTurns",
        { type: "number", minimum: 1, whole: "whole" },
        "At most so many turns.",
      ),
      otherwise: "20",
    },
    {
      key: "initial_context",
      doc: "`system_prompt`, and `node_context`: a Jinja2 template of the first message, filled with the variables of the run (`--var node_text=…`) and its `task`.",
      type: map,
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
      doc: "The tools: name, pym (a script), description, parameters, context_providers. One of them is `submit_result`.",
      type: list,
      required: "required",
      into: "tools.allow",
      parts: { toolDefinitions: [], result: [] },
      read: (draft, entries: readonly Json[], reading) => readTools(draft, entries, reading),
      write: writeTools,
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
        message: "`model_id` has no effect beside `model`. Remove one of them.",
        at: { type: "key", path: ["model_id"] },
      })
  },
}

/** True whether the file is there or not: files of weights are not loaded here. */
function howServed(model: string): string {
  if (!model.endsWith(".gguf"))
    return "No model can be asked by such a name: write that of a `.gguf` file, or `model_id`."
  const name = JSON.stringify(path.basename(model, ".gguf"))
  return `Files of models are not loaded here yet: a run asks a llama-server for the model ${name}, so start one with that file, or name another model (\`--model\`, \`model_id\`).`
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
      explainInner(["initial_context", key], contextKeys, {
        is: `\`initial_context.${key}\` is no key of Remora files`,
        otherwise: " and has no effect.",
        severity: "info",
      }),
    )
  if (typeof system_prompt === "string") {
    const { instructions, before, after } = trimBody(system_prompt)
    draft.instructions = instructions
    draft.origin = { format: "remora", margins: { before, after } }
    const template = templateIn(instructions)
    if (template !== undefined)
      report({
        code: "template-variable",
        severity: "warning",
        message: `${unrendered(template)} Move it to \`node_context\`, which is rendered.`,
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

/** The variables of a node that the template uses: in place of Remora, an agent that calls this one may set them. */
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
  const used = variablesOf(parsed)
  const filled = Object.fromEntries([...nodeVariables, "task"].map((name) => [name, ""]))
  const needed = new Set(unsetVariables(parsed, filled).map(({ name }) => name))
  for (const { name, offset } of used.filter((use) => !Object.hasOwn(filled, use.name)))
    report({
      code: "template-variable",
      severity: "warning",
      message: `Remora does not fill in \`${name}\`, so ${needed.has(name) ? "the agent does not start" : "the template does without it"} unless a run sets it (\`--var ${name}=…\`). ${knownNames(name, Object.keys(filled))}`,
      at: at(offset, name.length),
    })
  return nodeVariables.filter((name) => used.some((use) => use.name === name))
}
