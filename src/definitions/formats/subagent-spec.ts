import { type ModelChoice, trimBody } from "../../agent/agent.ts"
import { anyText, type ValueType } from "../../ground/keys.ts"
import { isMap, type Json } from "../../ground/message.ts"
import { defineAllowanceField } from "./allowance.ts"
import type { Values } from "./document/document.ts"
import {
  defineAllowedToolsField,
  defineDescriptionField,
  defineDisallowedToolsField,
  defineNameField,
  defineSameField,
  labelField,
  mapType,
  wordsType,
} from "./fields/common.ts"
import type { Draft, Field } from "./fields/field.ts"
import { defineForeignOutputField } from "./fields/output.ts"
import { detectSyntax, type Format } from "./format.ts"
import { readModel } from "./llm-config.ts"
import type { ReportProblem } from "./problem.ts"

const noFrontmatter = (message: string) =>
  `Invalid markdown format: missing YAML frontmatter (expected ---\\n...\\n---). ${message}`
const orNull = (type: ValueType): ValueType => ({ type: "either", of: [type, { type: "null" }] })

/** Specs of instructor-php, which are mostly written in code; files have the same keys. They have no folder of their own. */
export const subagentSpec: Format = {
  id: "subagent-spec",
  title: "subagent spec",
  doc: "Subagent specs of instructor-php: markdown with YAML front matter, YAML, or JSON with `systemPrompt`.",
  locations: { project: [], user: [], depth: "flat", extensions: [".md", ".yaml", ".yml", ".json"] },
  name: {
    pattern: /^[a-z][a-z0-9-]*$/,
    message: (name) =>
      `Invalid subagent name '${name}': must start with lowercase letter and contain only lowercase letters, numbers, and hyphens`,
  },
  instructions: "required",
  instructionsKey: "systemPrompt",
  unknownKeys: "ignored",
  messages: {
    "file-empty": (message, file) =>
      detectSyntax(file) === "markdown"
        ? noFrontmatter(message)
        : `${invalidSyntax[detectSyntax(file)]}. ${message}`,
    "frontmatter-missing": () =>
      noFrontmatter("The file must begin with a line `---`, then its keys, then another line `---`."),
    "frontmatter-unclosed": noFrontmatter,
    "frontmatter-language": noFrontmatter,
    "yaml-invalid": (message, file) => `${invalidSyntax[detectSyntax(file)]}: ${message}`,
    "map-expected": (message, file) =>
      `${dataNames[detectSyntax(file)]} must be a dictionary/object. ${message}`,
    "instructions-missing": (_, file) => noInstructions[detectSyntax(file)],
  },
  fields: [
    {
      ...defineNameField("The name of the agent."),
      type: anyText,
      messages: { missing: "Missing 'name' field" },
    },
    {
      ...defineDescriptionField(),
      messages: { missing: "Missing 'description' field", type: "Subagent description cannot be empty" },
    },
    { ...labelField, type: anyText, aliases: ["title"] },
    {
      ...defineSameField(
        "systemPrompt",
        "instructions",
        anyText,
        "The system prompt, in YAML and JSON files. In markdown it is the body.",
      ),
      aliases: ["prompt", "system"],
      read: (draft, value) => {
        draft.instructions = trimBody(value as string).instructions
      },
      write: () => undefined,
    },
    toolsField(),
    defineDisallowedToolsField("toolsDeny", "Tools it may not use, even if `tools` has them."),
    {
      ...defineSameField(
        "model",
        "model",
        orNull({ type: "either", of: [anyText, mapType] }),
        "A preset, `inherit`, or an object with provider, model, endpoint and parameters; null is the default preset.",
      ),
      otherwise: "the model of its caller",
      messages: { type: "Invalid 'model' field: must be string (preset name) or object (LLMConfig)" },
      read: (draft, value, { report }) => {
        chooseModel(draft, readModel("model", value, draft, report))
      },
      write: ({ model }) => (Array.isArray(model) ? undefined : (model as Json | undefined)),
    },
    {
      key: "llmConfig",
      into: "model",
      doc: "The later name of `model`: a preset, or an object with driver, model, apiUrl, maxTokens and options. It overrides `model`.",
      type: orNull({ type: "either", of: [anyText, mapType] }),
      otherwise: "`model`",
      // `finish` reads it after `model`, in whichever order the file has the two.
      read: () => {},
      write: () => undefined,
    },
    {
      ...defineSameField("skills", "skills", orNull(wordsType), "Skills to load before the first turn."),
      messages: { type: "Invalid 'skills' field: must be comma-separated string or array" },
      read: (draft, value) => {
        if (value !== null) draft.skills = distinctEntries(value as string[])
      },
    },
    defineAllowanceField(),
    {
      ...defineSameField("metadata", "metadata", mapType, "Any other data to keep with the agent."),
      effect: "informs",
    },
    defineForeignOutputField("subagent-spec", "instructor-php"),
  ] as readonly Field<never>[],
  finish(draft, values, { report }) {
    readLlmConfig(draft, values, report)
    // A label that repeats the name, or is blank, adds nothing.
    if (draft.label === draft.name || draft.label?.trim() === "") delete draft.label
  },
}

const invalidSyntax = {
  markdown: "Invalid YAML frontmatter",
  yaml: "Invalid YAML data",
  json: "Invalid JSON data",
}
const dataNames = { markdown: "YAML frontmatter", yaml: "YAML data", json: "JSON data" }
const noInstructions = {
  markdown: "Invalid markdown format: system prompt (content after frontmatter) cannot be empty",
  yaml: "Subagent system prompt cannot be empty",
  json: "Missing 'systemPrompt' field in JSON data",
}

/** Reads the model under its later name, which overrides `model`: instructor-php no longer reads that one. */
function readLlmConfig(draft: Draft, { llmConfig }: Values, report: ReportProblem): void {
  if (typeof llmConfig !== "string" && !isMap(llmConfig)) return
  const choice = readModel("llmConfig", llmConfig, draft, report)
  if (choice !== undefined && draft.model !== undefined)
    report({
      code: "model-conflict",
      severity: "warning",
      message: "`model` has no effect, because `llmConfig` names a model too. Remove one of the two.",
      at: { type: "key", path: ["model"] },
    })
  chooseModel(draft, choice)
}

function chooseModel(draft: Draft, choice: ModelChoice | undefined): void {
  if (choice !== undefined) draft.model = choice
}

const distinctEntries = (entries: readonly string[]) => [...new Set(entries)].filter((entry) => entry !== "")

function toolsField(): Field<string[] | null> {
  const field = defineAllowedToolsField(
    "The tools the agent may use, separated by commas or as a list. An empty list grants nothing.",
    "subagent-spec",
  )
  return {
    ...field,
    type: orNull(wordsType),
    messages: { type: "Invalid 'tools' field: must be comma-separated string or array" },
    read: (draft, value, reading) => {
      if (value !== null) field.read(draft, distinctEntries(value), reading)
    },
  }
}
