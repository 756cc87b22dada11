import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import { anyText, splitList } from "../../ground/keys.ts"
import {
  defineAllowedToolsField,
  defineDescriptionField,
  defineLimitField,
  defineNameField,
  defineSameField,
} from "./fields/common.ts"
import type { Field } from "./fields/field.ts"
import { defineForeignOutputField } from "./fields/output.ts"
import type { Format } from "./format.ts"

/** The timeout of an agent whose file sets none. */
const defaultTimeout = 300_000
const longestDescription = 1024
const noName = (message: string) => `Name field is required. ${message}`

/** Subagents of acai, by its first plan: the task goes into the prompt, and the default timeout is five minutes. */
export const acai: Format = {
  id: "acai",
  title: "acai",
  doc: "Subagents of acai: markdown with YAML front matter. `{{task}}` in the body is replaced by the task; without it, the task follows the body. The prompt ends with the environment: folder, platform, day, branch.",
  locations: {
    project: [".acai/subagents"],
    user: [".acai/subagents"],
    depth: "flat",
    extensions: [".md"],
  },
  name: {
    pattern: /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/,
    message: (name) =>
      nameRules
        .filter(({ broken }) => broken(name))
        .map(({ message }) => message)
        .join(". "),
    file: "same",
  },
  instructions: "optional",
  unknownKeys: "ignored",
  messages: {
    "file-empty": noName,
    "frontmatter-missing": () =>
      noName("The file must begin with a line `---`, then its keys, then another line `---`."),
    "frontmatter-unclosed": noName,
    "frontmatter-language": noName,
  },
  defaults(draft) {
    draft.limits = { timeout: defaultTimeout }
    draft.template = { task: "append" }
    draft.context = { environment: true }
  },
  fields: [
    {
      ...defineNameField("The name of the agent: the name of its file without `.md`."),
      messages: { missing: "Name field is required", type: "Name field is required" },
    },
    {
      ...defineDescriptionField(
        "The purpose of the agent, by which callers choose it. At most 1024 characters.",
      ),
      messages: { missing: "Description field is required", type: "Description field is required" },
      read: (draft, value, { report }) => {
        draft.description = value as string
        if (draft.description.length > longestDescription)
          report({
            code: "description-long",
            severity: "error",
            message: `Description must be 1-1024 characters long. It has ${draft.description.length}. Move text that is meant for the agent itself below the front matter.`,
            at: { type: "value", path: ["description"] },
          })
      },
    },
    modelField(),
    toolsField(),
    timeoutField(),
    defineForeignOutputField("acai", "acai"),
  ],
}

const nameRules: readonly { message: string; broken: (name: string) => boolean }[] = [
  { message: "Name must be 1-64 characters long", broken: ({ length }) => length < 1 || length > 64 },
  {
    message: "Name can only contain lowercase letters, numbers, and hyphens",
    broken: (name) => !/^[a-z0-9-]+$/.test(name),
  },
  { message: "Name cannot start or end with a hyphen", broken: (name) => /^-|-$/.test(name) },
  { message: "Name cannot contain consecutive hyphens", broken: (name) => name.includes("--") },
]

function modelField(): Field {
  return {
    ...defineSameField(
      "model",
      "model",
      { type: "either", of: [anyText, { type: "null" }] },
      "The model, such as `anthropic:sonnet`.",
    ),
    otherwise: "the model of its caller",
    read: (draft, value) => {
      if (typeof value === "string" && value.trim() !== "") draft.model = value
    },
    write: ({ model }) => (typeof model === "string" ? model : undefined),
  }
}

function toolsField(): Field<string[]> {
  const list = defineAllowedToolsField(
    "The tools the agent may use, separated by commas or as a list. With `Agent` among them it may call agents, including itself.",
    "acai",
  )
  return {
    ...list,
    read: (draft, value, reading) => {
      list.read(draft, value, reading)
      if (draft.tools?.allow.some(isAgentTool)) draft.recursive = true
    },
    // acai itself reads no lists, and reads an empty text as all tools.
    write: ({ tools: { mode, allow } }) => {
      const text = allow.join(", ")
      const entries = splitList(text)
      const same = entries.length === allow.length && entries.every((entry, index) => entry === allow[index])
      return mode === "inherit" ? undefined : same && text !== "" ? text : [...allow]
    },
  }
}

const isAgentTool = (name: string): boolean => {
  const tool = lookUpTool(name)
  return "name" in tool && tool.name === "Agent" && splitToolName(name).argument === undefined
}

function timeoutField(): Field<number> {
  const seconds = defineLimitField(
    "timeout",
    "timeout",
    { type: "number", minimum: 1, maximum: 3600 },
    "The timeout in seconds, from 1 to 3600.",
    1_000,
  )
  return {
    ...seconds,
    otherwise: "300",
    messages: { type: "Timeout must be a number between 1 and 3600 seconds" },
    write: (agent, writing) =>
      agent.limits.timeout === defaultTimeout ? undefined : seconds.write(agent, writing),
  }
}
