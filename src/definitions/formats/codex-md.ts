import { anyText, type ValueType } from "../../ground/keys.ts"
import { isMap, type Json, type JsonMap } from "../../ground/message.ts"
import { bindModel } from "./codex-model.ts"
import { defineAllowedToolsField, defineNameField, defineSameField, wordsType } from "./fields/common.ts"
import type { Field, FieldReading } from "./fields/field.ts"
import { defineForeignOutputField } from "./fields/output.ts"
import type { Format } from "./format.ts"

const prefixUnparsed = (message: string) => `failed to parse YAML frontmatter: ${message}`
const prefixNotFound = (message: string) => `no YAML frontmatter block found. ${message}`
const optionalText: ValueType = {
  type: "either",
  of: [anyText, { type: "null" }],
}

/** Markdown subagents of Codex forks. Codex itself uses TOML files. */
export const codexMarkdown: Format = {
  id: "codex-md",
  title: "Codex markdown",
  doc: "Subagents of Codex in markdown with YAML front matter: a model binding, a tool list and keywords for routing.",
  locations: {
    project: [".codex/agents"],
    user: [".codex/agents"],
    depth: "flat",
    extensions: [".md", ".markdown"],
  },
  name: {
    pattern: /^[a-z][a-z0-9_-]{2,63}$/,
    message: (name) =>
      `invalid agent name \`${name}\`: name must start with a lowercase letter, include only lowercase letters, digits, hyphen, or underscore, and be 3-64 characters long`,
  },
  instructions: "required",
  unknownKeys: "ignored",
  unknownLimits: "warned",
  usualTask: "Please execute your standard workflow.",
  messages: {
    "file-empty": prefixNotFound,
    "frontmatter-unclosed": prefixNotFound,
    "frontmatter-language": prefixNotFound,
    "yaml-invalid": prefixUnparsed,
    "yaml-repaired": prefixUnparsed,
    "key-duplicate": prefixUnparsed,
    "map-expected": prefixUnparsed,
    "field-type": prefixUnparsed,
  },
  fields: [
    {
      ...defineNameField("The name of the agent; the name of its file does not matter."),
      type: anyText,
    },
    {
      ...defineSameField("description", "description", optionalText, "The purpose of the agent, in short."),
      read: (draft, value) => {
        if (value !== null) draft.description = value as string
      },
      write: (agent) => agent.description || undefined,
    },
    {
      key: "model",
      doc: "The name of the model, without a provider. If `model_config.model` is set too, the two must be the same.",
      type: optionalText,
      otherwise: "the model of its caller",
      into: "model",
      read: (draft, value: string | null) => {
        if (value?.trim()) draft.model = value.trim()
      },
      write: ({ model }) => (typeof model === "string" ? model : undefined),
    } satisfies Field<string | null>,
    {
      key: "model_config",
      into: "model",
      doc: "The model with its `provider`, `endpoint` (in place of the provider's base URL) and `parameters` (sent with each request).",
      type: { type: "either", of: [{ type: "map" }, { type: "null" }] },
      otherwise: "`model`, or the model of its caller",
      // `finish` reads it together with `model`.
      read: () => {},
      write: ({ model }) => (isMap(model as Json) ? (model as JsonMap) : undefined),
    },
    {
      ...defineAllowedToolsField(
        "The only tools it may use. An empty list grants nothing, although Codex reads it as all tools.",
        "codex-md",
      ),
      read: (draft, value, reading) => {
        draft.tools = { mode: "list", allow: distinctEntries("tool", value, reading), deny: [] }
      },
    },
    {
      ...defineSameField("keywords", "keywords", wordsType, "Words that route a request to this agent."),
      type: { type: "either", of: [wordsType, { type: "null" }] },
      read: (draft, value, reading) => {
        if (value !== null) draft.keywords = distinctEntries("keyword", value as string[], reading)
      },
    },
    defineForeignOutputField("codex-md", "Codex"),
  ],
  finish(draft, values, { report }) {
    if (isMap(values.model_config)) bindModel(draft, values.model_config, report)
  },
}

/** Removes blank and repeated entries, and reports each as an error. */
function distinctEntries(
  what: "tool" | "keyword",
  entries: readonly string[],
  { report }: FieldReading,
): readonly string[] {
  return entries.filter((entry, index) => {
    const at = { type: "value", path: [`${what}s`, index] } as const
    if (entry === "")
      report({
        code: "list-blank",
        severity: "error",
        message: `${what}s must be non-empty strings. Remove the empty entry.`,
        at,
      })
    else if (entries.indexOf(entry) < index)
      report({
        code: "list-duplicate",
        severity: "error",
        message: `duplicate ${what} entry \`${entry}\`. Remove one of the two.`,
        at,
      })
    else return true
    return false
  })
}
