import type { Json } from "../message.ts"
import type { KeyType } from "./key-type.ts"

/** One setting: reading, the JSON Schema and the reference page all come from this. */
export interface ConfigurationKey {
  /** With a dot where it stands below another key. */
  readonly key: string
  readonly type: KeyType
  readonly default?: Json
  readonly doc: string
  /** The variable of the environment that beats both files. */
  readonly variable?: string
}

export const configurationKeys: readonly ConfigurationKey[] = [
  {
    key: "subagents.enabled",
    type: "flag",
    default: true,
    doc: "Whether agents may be run at all; they can be listed and checked either way.",
    variable: "CADRE_SUBAGENTS_ENABLED",
  },
  {
    key: "subagents.auto_route",
    type: "flag",
    default: false,
    doc: "Whether a request that names no agent goes to the one whose name or keywords it holds.",
  },
  {
    key: "agents_dir",
    type: "folder",
    doc: "The folder that remora files take their scripts and models from.",
  },
  {
    key: "formats",
    type: "names",
    default: ["cadre", "claude", "codex-md", "acai", "gobby", "remora"],
    doc: "The order of formats, by id: of two agents of one name in one scope, the earlier format's wins.",
  },
  {
    key: "model",
    type: "text",
    doc: "The model for agents that name none: a preset, or `provider:model`.",
    variable: "CADRE_MODEL",
  },
  {
    key: "models",
    type: "presets",
    default: {},
    doc: "The same as `presets`, which beats it where both have a name.",
  },
  {
    key: "presets",
    type: "presets",
    default: {},
    doc: "Models by a name of your own, each another name, or an object with `provider`, `model`, `endpoint`, `parameters`, `effort`, `price` (US dollars for a million tokens) and `window`.",
  },
  {
    key: "providers",
    type: "providers",
    default: {},
    doc: "Who serves models, by a name of your own, or over one that is built in: `protocol`, `baseUrl`, `key` (the name of a variable), `keyFile`, `endpoints`, `headers`, `headerVariables` and `package`. A project's file may set only `protocol` and `baseUrl`.",
  },
  {
    key: "strict_model",
    type: "flag",
    default: false,
    doc: "Whether a model that is not the one asked for ends a run, where it would otherwise be a warning.",
  },
  {
    key: "allow_model_override",
    type: "flag",
    default: true,
    doc: "Whether a call may choose another model than the definition's.",
  },
  { key: "tools", type: "names", default: [], doc: "Names of tools of your own that definitions may list." },
  { key: "skills", type: "folders", default: [], doc: "Further folders with skills." },
  {
    key: "limits",
    type: "limits",
    default: {},
    doc: "Limits for agents that set none; times in milliseconds.",
  },
  { key: "variables", type: "map", default: {}, doc: "What lifecycle variables start with." },
  { key: "rules", type: "severities", default: {}, doc: "How serious a rule is, by its code, or `off`." },
  { key: "packages", type: "names", default: [], doc: "Installed packages whose agents are loaded." },
]
