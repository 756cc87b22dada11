import { type Agent, agentModes, type Rule } from "../../agent/agent.ts"
import { isExecutorName } from "../../agent/executor.ts"
import { bindingKeys } from "../../agent/model-binding.ts"
import { knownNames } from "../../ground/errors.ts"
import { type Limits, limitNames } from "../../ground/limits.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { cacheField, contextField, templateField, toolDefinitionsField } from "./cadre-parts.ts"
import type { Path } from "./document/yaml.ts"
import {
  any,
  background,
  color,
  description,
  disallowedTools,
  flag,
  label,
  list,
  map,
  mcpServers,
  memory,
  ofOwnRun,
  permissionMode,
  same,
  text,
  tools,
  words,
} from "./fields/common.ts"
import { readDuration, writeDuration } from "./fields/duration.ts"
import type { Draft, Field, FieldReading } from "./fields/field.ts"
import { outputField } from "./fields/output.ts"
import { pipelineFields } from "./fields/pipeline-fields.ts"
import { postconditionsField } from "./fields/postconditions.ts"
import { reportReserved } from "./fields/reserved-parameters.ts"
import type { Format } from "./format.ts"
import type { Report } from "./problem.ts"

/** The format of this project: it can say everything an agent is. */
export const cadre: Format = {
  id: "cadre",
  title: "cadre",
  doc: "The format of cadre itself, which can say everything: markdown with YAML front matter, YAML, or JSON.",
  locations: {
    project: [".cadre/agents"],
    // The user's own folder is the configuration folder, which is not below the home folder everywhere.
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
    { ...same("name", "name", text, "What the agent is called."), otherwise: "the name of the file" },
    label,
    description(),
    same("keywords", "keywords", words, "Words by which a request is routed to it."),
    same("aliases", "aliases", words, "Other names it answers to."),
    color,
    same("hidden", "hidden", flag, "Not offered to people or models; it can still be named."),
    same("recursive", "recursive", flag, "Whether it may call itself."),
    {
      ...same(
        "instructions",
        "instructions",
        text,
        "The system prompt, in YAML and JSON files. In markdown it is the body.",
      ),
      aliases: ["systemPrompt", "prompt", "system"],
      write: () => undefined,
    },
    templateField(),
    same("skills", "skills", words, "Skills whose text is loaded before the first turn, in this order."),
    contextField(),
    ofOwnRun(modelField()),
    same("allowModelOverride", "allowModelOverride", flag, "Whether a call may choose another model."),
    ofOwnRun(
      same(
        "effort",
        "effort",
        { type: "either", of: [text, { type: "number" }] },
        "How hard the model should think.",
      ),
    ),
    tools(
      "Tools it may use. A list, or one text with commas; `*` stands for any characters, `Agent(a, b)` names agents.",
      "cadre",
    ),
    disallowedTools("disallowedTools", "Tools taken away, whatever `tools` says."),
    same(
      "delegates",
      "delegates",
      words,
      "Tools that it is not offered itself and may give to those it calls, as far as its own caller could.",
    ),
    toolDefinitionsField(),
    mcpServers,
    rulesField(),
    ofOwnRun(limitsField()),
    outputField(),
    ...pipelineFields(),
    postconditionsField(),
    ofOwnRun(cacheField()),
    ofOwnRun(
      same(
        "fallback",
        "fallback",
        words,
        "Agents that get its task, one after the other, where it fails, times out, goes in circles or says nothing.",
      ),
    ),
    {
      ...same(
        "variables",
        "variables",
        map,
        "Values that its hooks and workflow start from; null is a value.",
      ),
      write: ({ variables }) => (Object.keys(variables).length > 0 ? variables : undefined),
    },
    same("inheritVariables", "inheritVariables", words, "Variables whose live values come from the parent."),
    same("callVariables", "callVariables", words, "Variables that a model's call may set."),
    same("hooks", "hooks", any, "What is judged or done at events of a run."),
    same("lifecycle", "lifecycle", text, "A hook set of the configuration, in place of the project's."),
    same("workflow", "workflow", any, "A named workflow, or one written out."),
    executorField(),
    permissionMode,
    same(
      "isolation",
      "isolation",
      { type: "choice", of: ["none", "worktree", "clone"] },
      "Where it works: in a git `worktree` of its own, or `none`. A `clone` is not to be had yet: such an agent does not start.",
    ),
    same(
      "mode",
      "mode",
      { type: "choice", of: [...agentModes] },
      "Where it is started: `headless`, which is here. `self`: the run that calls it takes it on. In a `terminal`, or `embedded` in another program, it is not to be had: such an agent does not start.",
    ),
    background,
    memory,
    { ...same("metadata", "metadata", map, "Whatever else you want to keep with it."), effect: "informs" },
    {
      key: "extensions",
      into: "extensions",
      effect: "informs",
      doc: "By format: keys of files it was converted from, so that converting back loses nothing.",
      type: map,
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
        message: "`executor` and `pipeline` cannot both say what its runs do. Remove one of them.",
        at: { type: "key", path: ["executor"] },
      })
  },
}

function executorField(): Field<string> {
  return {
    key: "executor",
    into: "executor",
    doc: "The program that is its engine in place of a model, by its name below `executors:` in the configuration.",
    type: text,
    read: (draft, value, { report }) => {
      draft.executor = value
      if (isExecutorName(value)) return
      report({
        code: "field-type",
        severity: "error",
        message: `\`executor\` must be the name of one: letters, digits, \`.\`, \`_\` and \`-\`, but it is ${JSON.stringify(value)}.`,
        at: { type: "value", path: ["executor"] },
      })
    },
    write: ({ executor }) => executor,
  }
}

function modelField(): Field {
  const binding = { type: "either", of: [text, map] } as const
  return {
    key: "model",
    into: "model",
    doc: "A preset, `provider:model`, `inherit`, an object with provider, model, endpoint and parameters, a list of these, or null for the default.",
    otherwise: "the model of whoever calls it",
    type: { type: "either", of: [...binding.of, list, { type: "null" }] },
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

function reportParameters(model: Json, path: Path, report: Report): void {
  if (Array.isArray(model))
    for (const [index, entry] of model.entries()) reportParameters(entry, [...path, index], report)
  else if (isMap(model) && isMap(model.parameters))
    reportReserved(model.parameters, [...path, "parameters"], report)
}

/** What is wrong with a model's binding, in words. */
export function checkModel(value: Json): string | undefined {
  if (typeof value === "string" || value === null) return undefined
  if (Array.isArray(value)) {
    if (value.length === 0)
      return "`model` is an empty list: name at least one model, or leave it out to inherit."
    if (value.some((entry) => entry === null || Array.isArray(entry)))
      return "A list of models holds names and objects only."
    return value.map(checkModel).find((wrong) => wrong !== undefined)
  }
  const unknown = Object.keys(value as JsonMap).find((key) => !bindingKeys.includes(key))
  if (unknown !== undefined) return `\`model.${unknown}\` is not known. ${knownNames(unknown, bindingKeys)}`
  const { provider, model, endpoint, parameters } = value as JsonMap
  for (const [key, given] of Object.entries({ provider, model, endpoint }))
    if (given !== undefined && (typeof given !== "string" || given.trim() === ""))
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
    doc: "Decisions by tool, the first that matches: `{tool: Bash, decision: ask}`; allow, ask or deny.",
    type: list,
    read: (draft, value, reading) => {
      draft.rules = value.filter((rule, index) => isRule(rule, index, reading)) as unknown as readonly Rule[]
    },
    write: ({ rules }) => (rules.length > 0 ? (rules as unknown as Json) : undefined),
  }
}

function isRule(rule: Json, index: number, { report }: FieldReading): boolean {
  const { tool, decision, ...rest } = (typeof rule === "object" && rule !== null ? rule : {}) as JsonMap
  const right =
    typeof tool === "string" &&
    ["allow", "ask", "deny"].includes(decision as string) &&
    Object.keys(rest).length === 0
  if (!right)
    report({
      code: "field-type",
      severity: "error",
      message: "A rule is `{tool: NAME, decision: allow, ask or deny}` and nothing else.",
      at: { type: "value", path: ["rules", index] },
    })
  return right
}

const times: ReadonlySet<string> = new Set(["timeout", "idleTimeout", "toolTimeout", "approvalTimeout"])

function limitsField(): Field<JsonMap & Json> {
  return {
    key: "limits",
    into: "limits",
    parts: Object.fromEntries([...limitNames].map((name) => [`limits.${name}`, [name]])),
    doc: `Bounds of a run: ${[...limitNames].sort().join(", ")}. Times are seconds, or \`500ms\`, \`30s\`, \`5m\`, \`1h\`.`,
    type: map,
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

function readLimits(draft: Draft, given: JsonMap, { report }: FieldReading): void {
  const limits: { [key: string]: number } = {}
  for (const [key, value] of Object.entries(given)) {
    const number = times.has(key) ? readDuration(value) : value
    const whole = times.has(key) || key === "maxCost" || Number.isInteger(number)
    if (!limitNames.has(key))
      report({
        code: "limit-unknown",
        severity: "error",
        message: `There is no limit \`${key}\`, so it would bound nothing. ${knownNames(key, limitNames)}`,
        at: { type: "key", path: ["limits", key] },
      })
    else if (typeof number === "number" && Number.isFinite(number) && number > 0 && whole)
      limits[key] = number
    else
      report({
        code: "limit-invalid",
        severity: "error",
        message: `\`limits.${key}\` must be a positive ${times.has(key) ? "time in seconds, or such as `30s` or `5m`" : "number"}, but it is ${JSON.stringify(value)}. 0 never means unlimited: leave it out for the default.`,
        at: { type: "value", path: ["limits", key] },
      })
  }
  draft.limits = limits as Limits
}
