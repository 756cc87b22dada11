import type { PromptTemplate, ToolDefinition } from "../../agent/agent.ts"
import { readPromptContext } from "../../agent/prompt-context.ts"
import { readResultCaching } from "../../agent/result-cache.ts"
import { findUnknownKeyProblems } from "../../ground/known-keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { parseTemplate } from "../../language/template/index.ts"
import type { Values } from "./document/document.ts"
import type { KeyPath } from "./document/yaml.ts"
import { checkSchema } from "./fields/check-schema.ts"
import { defineSameField, flagType, initialPromptEffect, listType, mapType } from "./fields/common.ts"
import type { Field, FieldReading } from "./fields/field.ts"
import { type Problem, placeInside, type ReportProblem } from "./problem.ts"

/** The way a task and its surroundings reach the prompt. */
export function defineTemplateField(): Field {
  return {
    ...defineSameField(
      "template",
      "template",
      mapType,
      "`task`: `message` or `append`; `context`: a Jinja template of the first message.",
    ),
    read: (draft, value, { report }) => {
      const { task = "message", context } = value as Values
      if (checkTemplate(value as Values, report))
        draft.template = { task, ...(context !== undefined && { context }) } as PromptTemplate
    },
  }
}

/** The context that goes into the prompt besides instructions and task. */
export function defineContextField(): Field {
  return {
    ...defineSameField(
      "context",
      "context",
      { type: "either", of: [{ type: "choice", of: ["fork"] }, mapType] },
      "More text for the prompt. `rules: true`: AGENTS.md and CLAUDE.md. `files`: paths or patterns inside the project. `environment: true`: folder, platform, day, branch. `fork: true`, or `context: fork`: the history of the caller.",
    ),
    effect: [{ ...initialPromptEffect, inner: "initialPrompt" }],
    read: (draft, value, { report }) => {
      const { context, problems } = readPromptContext(value)
      for (const { about = "value", path, message } of problems)
        report({
          code: about === "key" ? "key-unknown" : "field-type",
          severity: "error",
          message: `\`${["context", ...path].join(".")}\` ${message.replace(/\.?$/, ".")}`,
          at: { type: about, path: ["context", ...path] },
        })
      if (context) draft.context = context
    },
  }
}

/** The conditions under which a recorded result answers a new run. */
export function defineCacheField(): Field {
  return {
    ...defineSameField(
      "cache",
      "cache",
      { type: "either", of: [flagType, mapType] },
      "`true`, or `{inputs: [PATH]}`: a run with the same definition, task and inputs gets the recorded result. Inputs are paths or patterns inside the folder that the agent works in.",
    ),
    otherwise: "no result is reused",
    read: (draft, value, { report }) => {
      const { cache, problems } = readResultCaching(value)
      for (const { about = "value", path, message } of problems)
        report({
          code: about === "key" ? "key-unknown" : "field-type",
          severity: "error",
          message: `\`${["cache", ...path].join(".")}\` ${message.replace(/\.?$/, ".")}`,
          at: { type: about, path: ["cache", ...path] },
        })
      if (cache) draft.cache = cache
    },
    write: ({ cache }) => (cache && Object.keys(cache).length === 0 ? true : (cache as Json | undefined)),
  }
}

/** Tools that come with the definition. */
export function defineToolDefinitionsField(): Field {
  return {
    ...defineSameField(
      "toolDefinitions",
      "toolDefinitions",
      listType,
      "Tools that come with the definition: name, description, script, parameters.",
    ),
    read: (draft, value, reading) => {
      const tools = value as readonly Json[]
      const validTools = tools.filter((tool, index) => checkTool(tool, index, tools, reading))
      draft.toolDefinitions = validTools as unknown as readonly ToolDefinition[]
    },
  }
}

const templateKeys = ["task", "context"]

function checkTemplate(template: Values, report: ReportProblem): boolean {
  const problems = reportUnknown(template, ["template"], templateKeys)
  const { task, context } = template
  if (task !== undefined && task !== "message" && task !== "append")
    problems.push(
      wrong(
        ["template", "task"],
        `\`template.task\` must be one of message, append, but it is ${JSON.stringify(task)}.`,
      ),
    )
  if (context !== undefined && typeof context !== "string")
    problems.push(
      wrong(
        ["template", "context"],
        `\`template.context\` must be text, but it is ${JSON.stringify(context)}.`,
      ),
    )
  const parsed = typeof context === "string" ? parseTemplate(context) : undefined
  if (parsed?.type === "invalid") {
    const { message, offset } = parsed.problem
    const line = /^.*/.exec((context as string).slice(offset))![0]
    problems.push({
      code: "template-invalid",
      severity: "error",
      message: `\`template.context\` is not a valid Jinja template: ${message}`,
      at: placeInside(["template", "context"], context as string, offset, line.length),
    })
  }
  for (const problem of problems) report(problem)
  return problems.length === 0
}

const toolKeys = ["name", "description", "script", "parameters", "inputs", "contextProviders"]

function checkTool(tool: Json, index: number, all: readonly Json[], { report }: FieldReading): boolean {
  const path = ["toolDefinitions", index]
  if (!isMap(tool)) {
    report(wrong(path, "A tool must be keys and values: name, description, script, parameters."))
    return false
  }
  const nameKey = (key: string) => `\`toolDefinitions[${index}].${key}\``
  const problems = reportUnknown(tool, path, toolKeys)
  for (const key of ["name", "description", "script"]) {
    const value = tool[key]
    if (value === undefined)
      problems.push({
        code: "field-missing",
        severity: "error",
        message: `missing required field: toolDefinitions[${index}].${key}.`,
        at: { type: "value", path },
      })
    else if (typeof value !== "string" || value.trim() === "")
      problems.push(wrong([...path, key], `${nameKey(key)} must be text that is not empty.`))
  }
  const { name, parameters, inputs, contextProviders: providers } = tool
  if (all.findIndex((other) => isMap(other) && other.name === name) < index)
    problems.push({
      code: "tool-duplicate",
      severity: "error",
      message: `Two tools are named ${JSON.stringify(name)}, so a call of that name would be ambiguous. Rename one of the two.`,
      at: { type: "value", path: [...path, "name"] },
    })
  if (parameters !== undefined && (!isMap(parameters) || parameters.type !== "object"))
    problems.push({
      code: "tool-parameters-type",
      severity: "error",
      message: `${nameKey("parameters")} must be a JSON Schema with \`type: object\`, because a model sends named arguments.`,
      at: { type: "value", path: [...path, "parameters"] },
    })
  else if (parameters !== undefined)
    for (const { path: at, message } of checkSchema(parameters))
      problems.push({
        code: "tool-parameters-schema",
        severity: "error",
        message: `${nameKey(["parameters", ...at].join("."))} ${message}.`,
        at: { type: "value", path: [...path, "parameters", ...at] },
      })
  if (inputs !== undefined && !isMap(inputs))
    problems.push(wrong([...path, "inputs"], `${nameKey("inputs")} must be keys and values.`))
  if (
    providers !== undefined &&
    !(Array.isArray(providers) && providers.every((entry) => typeof entry === "string"))
  )
    problems.push(
      wrong([...path, "contextProviders"], `${nameKey("contextProviders")} must be a list of paths.`),
    )
  for (const problem of problems) report(problem)
  return problems.length === 0
}

const reportUnknown = (value: Values, path: KeyPath, knownKeys: readonly string[]): Problem[] =>
  findUnknownKeyProblems(
    Object.keys(value),
    knownKeys,
    (key) => `\`${key}\` is not a key of \`${path[0]}\``,
    path,
  ).map(({ path: place, message }) => ({
    code: "key-unknown",
    severity: "error",
    message,
    at: { type: "key", path: place },
  }))

const wrong = (path: KeyPath, message: string): Problem => ({
  code: "field-type",
  severity: "error",
  message,
  at: { type: "value", path },
})
