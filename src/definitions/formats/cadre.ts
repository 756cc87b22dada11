import { type Agent, agentModes, type PermissionRule } from "../../agent/agent.ts"
import { isExecutorName } from "../../agent/executor.ts"
import { bindingKeys } from "../../agent/model-binding.ts"
import { listKnownNames } from "../../ground/errors.ts"
import { limitNames, type RunLimits } from "../../ground/limits.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import {
  defineCacheField,
  defineContextField,
  defineTemplateField,
  defineToolDefinitionsField,
} from "./cadre-parts.ts"
import type { KeyPath } from "./document/yaml.ts"
import {
  anyType,
  backgroundField,
  colorField,
  defineAllowedToolsField,
  defineDescriptionField,
  defineDisallowedToolsField,
  defineSameField,
  flagType,
  labelField,
  listType,
  mapType,
  markForOwnRun,
  memoryField,
  permissionModeField,
  textType,
  wordsType,
} from "./fields/common.ts"
import { readDuration, writeDuration } from "./fields/duration.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import { defineOutputField } from "./fields/output.ts"
import { definePipelineFields } from "./fields/pipeline-fields.ts"
import { definePostconditionsField } from "./fields/postconditions.ts"
import { reportReserved } from "./fields/reserved-parameters.ts"
import { mcpServersField } from "./fields/servers.ts"
import type { Format } from "./format.ts"
import type { ReportProblem } from "./problem.ts"

/** The format of this project, which can express every part of an agent. */
export const cadre: Format = {
  id: "cadre",
  title: "cadre",
  doc: "The format of cadre itself, which can express every part of an agent: markdown with YAML front matter, YAML, or JSON.",
  locations: {
    project: [".cadre/agents"],
    // The user's agents are in the configuration folder, which is not below the home folder on every system.
    user: [],
    depth: "nested",
    extensions: [".md", ".yaml", ".yml", ".json"],
  },
  name: {
    pattern: /^[a-z0-9][a-z0-9_-]{0,63}$/,
    message: (name) =>
      `invalid agent name \`${name}\`: 1 to 64 lower-case letters, digits, hyphens and underscores, the first of them a letter or digit.`,
    file: "default",
  },
  instructions: "required",
  unknownKeys: "refused",
  fields: [
    {
      ...defineSameField("name", "name", textType, "The name of the agent."),
      otherwise: "the name of the file",
    },
    labelField,
    defineDescriptionField(),
    defineSameField("keywords", "keywords", wordsType, "Words that route a request to this agent."),
    defineSameField("aliases", "aliases", wordsType, "Other names of the agent."),
    colorField,
    defineSameField(
      "hidden",
      "hidden",
      flagType,
      "`true`: the agent is not listed for people or models, but can still be called by name.",
    ),
    defineSameField("recursive", "recursive", flagType, "`true`: the agent may call itself."),
    {
      ...defineSameField(
        "instructions",
        "instructions",
        textType,
        "The system prompt, in YAML and JSON files. In markdown it is the body.",
      ),
      aliases: ["systemPrompt", "prompt", "system"],
      write: () => undefined,
    },
    defineTemplateField(),
    defineSameField("skills", "skills", wordsType, "Skills to load before the first turn, in this order."),
    defineContextField(),
    markForOwnRun(modelField()),
    defineSameField(
      "allowModelOverride",
      "allowModelOverride",
      flagType,
      "`false`: no call may choose another model for the agent.",
    ),
    markForOwnRun(
      defineSameField(
        "effort",
        "effort",
        { type: "either", of: [textType, { type: "number" }] },
        "The reasoning effort of the model.",
      ),
    ),
    defineAllowedToolsField(
      "The tools the agent may use: a list, or one text with commas. `*` stands for any characters, and `Agent(a, b)` allows calls of the agents `a` and `b` only.",
      "cadre",
    ),
    defineDisallowedToolsField("disallowedTools", "Tools it may not use, even if `tools` has them."),
    defineSameField(
      "delegates",
      "delegates",
      wordsType,
      "Tools that the agent cannot use itself but may pass on to the agents it calls, as far as its own caller could.",
    ),
    defineToolDefinitionsField(),
    mcpServersField,
    rulesField(),
    markForOwnRun(limitsField()),
    defineOutputField(),
    ...definePipelineFields(),
    definePostconditionsField(),
    markForOwnRun(defineCacheField()),
    markForOwnRun(
      defineSameField(
        "fallback",
        "fallback",
        wordsType,
        "Agents that get its task, one after the other, if it fails, times out, loops or gives no answer.",
      ),
    ),
    {
      ...defineSameField(
        "variables",
        "variables",
        mapType,
        "Initial values of variables for its hooks and workflow; null is a value.",
      ),
      write: ({ variables }) => (Object.keys(variables).length > 0 ? variables : undefined),
    },
    defineSameField(
      "inheritVariables",
      "inheritVariables",
      wordsType,
      "Variables that take their current values from the parent run.",
    ),
    defineSameField(
      "callVariables",
      "callVariables",
      wordsType,
      "Variables that a model may set when it calls the agent.",
    ),
    defineSameField("hooks", "hooks", anyType, "Hooks, which judge calls or act at events of a run."),
    defineSameField(
      "lifecycle",
      "lifecycle",
      textType,
      "A hook set of the configuration that replaces the hooks of the project.",
    ),
    defineSameField(
      "workflow",
      "workflow",
      anyType,
      "The name of a workflow, or a workflow written out here.",
    ),
    executorField(),
    permissionModeField,
    defineSameField(
      "isolation",
      "isolation",
      { type: "choice", of: ["none", "worktree", "clone"] },
      "`worktree`: the agent works in a git worktree of its own. `none`: it works in the folder of its caller. `clone` is not supported yet: such an agent does not start.",
    ),
    defineSameField(
      "mode",
      "mode",
      { type: "choice", of: [...agentModes] },
      "`headless`: the agent gets a run of its own. `self`: the run that calls it activates it. `terminal` and `embedded` are not supported: such an agent does not start.",
    ),
    backgroundField,
    memoryField,
    {
      ...defineSameField("metadata", "metadata", mapType, "Any other data to keep with the agent."),
      effect: "informs",
    },
    {
      key: "extensions",
      into: "extensions",
      effect: "informs",
      doc: "Keys of the files that the agent was converted from, by format, so that converting back loses nothing.",
      type: mapType,
      read: (draft, value: JsonMap) => {
        draft.extensions = { ...draft.extensions, ...(value as Agent["extensions"]) }
      },
      write: ({ extensions }) => {
        const foreign = Object.entries(extensions ?? {}).filter(([format]) => format !== "cadre")
        return foreign.length > 0 ? Object.fromEntries(foreign) : undefined
      },
    },
  ] as readonly Field<never>[],
  finish({ executor, pipeline }, _values, { report }) {
    if (executor !== undefined && pipeline)
      report({
        code: "field-type",
        severity: "error",
        message:
          "`executor` and `pipeline` cannot be combined: each decides how the agent runs. Remove one of the two.",
        at: { type: "key", path: ["executor"] },
      })
  },
}

function executorField(): Field<string> {
  return {
    key: "executor",
    into: "executor",
    doc: "The program that runs the agent in place of a model, by its name below `executors:` in the configuration.",
    type: textType,
    read: (draft, value, { report }) => {
      draft.executor = value
      if (isExecutorName(value)) return
      report({
        code: "field-type",
        severity: "error",
        message: `\`executor\` must be a name of letters, digits, \`.\`, \`_\` and \`-\`, but it is ${JSON.stringify(value)}.`,
        at: { type: "value", path: ["executor"] },
      })
    },
    write: ({ executor }) => executor,
  }
}

function modelField(): Field {
  const binding = { type: "either", of: [textType, mapType] } as const
  return {
    key: "model",
    into: "model",
    doc: "A preset, `provider:model`, `inherit`, an object with provider, model, endpoint and parameters, a list of these, or null for the default.",
    otherwise: "the model of its caller",
    type: { type: "either", of: [...binding.of, listType, { type: "null" }] },
    read: (draft, value, reading) => {
      const wrong = checkModel(value)
      if (wrong === undefined) {
        draft.model = value as Agent["model"] & Json
        reportParameters(value, ["model"], reading.report)
      } else
        reading.report({
          code: "model-invalid",
          severity: "error",
          message: wrong,
          at: { type: "value", path: ["model"] },
        })
    },
    write: ({ model }) => model as Json | undefined,
  }
}

function reportParameters(model: Json, path: KeyPath, report: ReportProblem): void {
  if (Array.isArray(model))
    for (const [index, entry] of model.entries()) reportParameters(entry, [...path, index], report)
  else if (isMap(model) && isMap(model.parameters))
    reportReserved(model.parameters, [...path, "parameters"], report)
}

/** Describes the problem of a model's binding; undefined if it is valid. */
export function checkModel(value: Json): string | undefined {
  if (typeof value === "string" || value === null) return undefined
  if (Array.isArray(value)) {
    if (value.length === 0)
      return "`model` is an empty list: name at least one model, or leave it out to inherit."
    if (value.some((entry) => entry === null || Array.isArray(entry)))
      return "`model` is a list with null or a list inside. It may contain only names and objects."
    return value.map(checkModel).find((wrong) => wrong !== undefined)
  }
  const unknown = Object.keys(value as JsonMap).find((key) => !bindingKeys.includes(key))
  if (unknown !== undefined)
    return `Unknown key \`model.${unknown}\`. ${listKnownNames(unknown, bindingKeys)}`
  const { provider, model, endpoint, parameters } = value as JsonMap
  for (const [key, entry] of Object.entries({ provider, model, endpoint }))
    if (entry !== undefined && (typeof entry !== "string" || entry.trim() === ""))
      return `\`model.${key}\` must be a non-empty string when set.`
  if (
    parameters !== undefined &&
    (typeof parameters !== "object" || parameters === null || Array.isArray(parameters))
  )
    return "`model.parameters` must be keys and values."
  return undefined
}

function rulesField(): Field<Json[]> {
  return {
    key: "rules",
    into: "rules",
    doc: "Decisions by tool (allow, ask or deny), such as `{tool: Bash, decision: ask}`. The first matching rule decides.",
    type: listType,
    read: (draft, value, reading) => {
      draft.rules = value.filter((rule, index) =>
        isRule(rule, index, reading),
      ) as unknown as readonly PermissionRule[]
    },
    write: ({ rules }) => (rules.length > 0 ? (rules as unknown as Json) : undefined),
  }
}

function isRule(rule: Json, index: number, { report }: FieldReading): boolean {
  const { tool, decision, ...rest } = (typeof rule === "object" && rule !== null ? rule : {}) as JsonMap
  const isValid =
    typeof tool === "string" &&
    ["allow", "ask", "deny"].includes(decision as string) &&
    Object.keys(rest).length === 0
  if (!isValid)
    report({
      code: "field-type",
      severity: "error",
      message: "A rule must have `tool` (a name) and `decision` (allow, ask or deny), and no other key.",
      at: { type: "value", path: ["rules", index] },
    })
  return isValid
}

const times: ReadonlySet<string> = new Set(["timeout", "idleTimeout", "toolTimeout", "approvalTimeout"])

function limitsField(): Field<JsonMap & Json> {
  return {
    key: "limits",
    into: "limits",
    parts: Object.fromEntries([...limitNames].map((name) => [`limits.${name}`, [name]])),
    doc: `Limits of a run: ${[...limitNames].sort().join(", ")}. A time is a number of seconds, or \`500ms\`, \`30s\`, \`5m\`, \`1h\`.`,
    type: mapType,
    otherwise: "those of the configuration",
    read: readLimits,
    write: ({ limits }) => {
      const entries = Object.entries(limits).map(([key, value]) => [
        key,
        times.has(key) ? writeDuration(value) : value,
      ])
      return entries.length > 0 ? (Object.fromEntries(entries) as Json) : undefined
    },
  }
}

function readLimits(draft: Draft, values: JsonMap, { report }: FieldReading): void {
  const limits: { [key: string]: number } = {}
  for (const [key, value] of Object.entries(values)) {
    const number = times.has(key) ? readDuration(value) : value
    const whole = times.has(key) || key === "maxCost" || Number.isInteger(number)
    if (!limitNames.has(key))
      report({
        code: "limit-unknown",
        severity: "error",
        message: `Unknown limit \`${key}\`: it would limit nothing. ${listKnownNames(key, limitNames)}`,
        at: { type: "key", path: ["limits", key] },
      })
    else if (typeof number === "number" && Number.isFinite(number) && number > 0 && whole)
      limits[key] = number
    else
      report({
        code: "limit-invalid",
        severity: "error",
        message: `\`limits.${key}\` must be a positive ${times.has(key) ? "time in seconds, or such as `30s` or `5m`" : "number"}, but it is ${JSON.stringify(value)}. 0 does not mean unlimited: remove the key to get the default.`,
        at: { type: "value", path: ["limits", key] },
      })
  }
  draft.limits = limits as RunLimits
}
