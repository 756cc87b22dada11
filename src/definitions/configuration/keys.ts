import type { Key } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { KeyType } from "./key-type.ts"

/** One setting: reading, the JSON Schema and the reference page all come from this. */
export interface ConfigurationKey extends Pick<Key, "key" | "doc"> {
  /** What it is. A key with a dot stands below another. */
  readonly type: KeyType
  readonly default?: Json
  /** The variable of the environment that beats both files. */
  readonly variable?: string
  /** For a text: what it may be. */
  readonly choices?: readonly string[]
  /** What a project's file cannot take back once a person has said it. */
  readonly narrow?: boolean | string
  /** For a text: all that a project's file may set: anything else would undo what a person has decided. */
  readonly projectMay?: readonly Json[]
}

export const configurationKeys: readonly ConfigurationKey[] = [
  {
    key: "subagents.enabled",
    type: "flag",
    default: true,
    narrow: false,
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
    key: "hide_built_in_agents",
    type: "patterns",
    default: [],
    doc: "Built-in agents to do without, by name; `*` is all of them. Those of both files hold.",
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
    doc: "Models by a name of your own, each another name, or an object with `provider`, `model`, `endpoint`, `parameters`, `effort`, `price` (US dollars for a million tokens), `window` and `sees` (`image`, `pdf`).",
  },
  {
    key: "providers",
    type: "providers",
    default: {},
    doc: "Who serves models, by a name of your own, or over one that is built in: `protocol`, `baseUrl`, `key` and `token` (names of variables), `keyFile`, `endpoints`, `headers`, `headerVariables`, `package` and `strictTools`. A project's file may set only `protocol`, `baseUrl` and `strictTools`.",
  },
  {
    key: "strict_model",
    type: "flag",
    default: false,
    narrow: true,
    doc: "Whether a model that is not the one asked for ends a run, where it would otherwise be a warning.",
  },
  {
    key: "allow_model_override",
    type: "flag",
    default: true,
    narrow: false,
    doc: "Whether a call may choose another model than the definition's.",
  },
  {
    key: "allowed_models",
    type: "model-lists",
    default: [],
    doc: "The models that may be asked, as `provider/model` with `*` for any characters, such as `anthropic/*`. A model must be in the list of every file that has one, so a project can only narrow yours. Left out: all.",
  },
  {
    key: "max_model_price.input",
    type: "price",
    doc: "The most that a model may cost, in US dollars for a million tokens of input. A model without a known price is refused then. Of both files the lower holds.",
  },
  {
    key: "max_model_price.output",
    type: "price",
    doc: "The same for a million tokens of output.",
  },
  {
    key: "mode",
    type: "text",
    choices: ["plan", "default", "accept-edits", "bypass"],
    projectMay: ["plan", "default", "accept-edits"],
    default: "default",
    narrow: "plan",
    doc: "How much is asked: `plan` lets nothing change, `default` asks before anything does, `accept-edits` asks only before commands, `bypass` never.",
    variable: "CADRE_MODE",
  },
  {
    key: "delegation",
    type: "text",
    choices: ["own", "narrow"],
    projectMay: ["narrow"],
    default: "own",
    narrow: "narrow",
    doc: "What a subagent may use: `own`, the tools of its own definition, less what anybody above it denies; `narrow`, of those only what its caller has too, or hands on with `delegates`. A tree keeps what it began with.",
  },
  {
    key: "permissions.allow",
    type: "patterns",
    default: [],
    doc: "What runs without a question, such as `Bash(git status)`, `Edit(src/**)` or `WebFetch(docs.python.org)`. Those of both files hold.",
  },
  {
    key: "permissions.ask",
    type: "patterns",
    default: [],
    doc: "What is asked for every time. Those of both files hold.",
  },
  {
    key: "permissions.deny",
    type: "patterns",
    default: [],
    doc: "What never runs, whatever allows it; a `Bash(…)` holds for commands that are seen, not for what a script runs in turn. Those of both files hold.",
  },
  {
    key: "sandbox",
    type: "text",
    choices: ["required", "preferred", "off"],
    projectMay: ["required"],
    default: "preferred",
    doc: "Whether commands run in a sandbox (bubblewrap): `required` refuses where there is none, `preferred` says so and goes on.",
    variable: "CADRE_SANDBOX",
  },
  {
    key: "network",
    type: "text",
    choices: ["none", "full"],
    projectMay: ["none"],
    default: "none",
    doc: "What network commands in the sandbox have.",
    variable: "CADRE_NETWORK",
  },
  {
    key: "search.provider",
    type: "text",
    choices: ["brave", "tavily", "searxng"],
    projectMay: [],
    doc: "Who answers WebSearch. Without one the tool is absent, and a run that wanted it says so.",
  },
  {
    key: "search.url",
    type: "text",
    projectMay: [],
    doc: "Where that provider is; needed for searxng.",
  },
  {
    key: "search.key",
    type: "text",
    projectMay: [],
    doc: "The name of the variable that holds its key, never the key.",
  },
  { key: "tools", type: "names", default: [], doc: "Names of tools of your own that definitions may list." },
  { key: "skills", type: "folders", default: [], doc: "Further folders with skills." },
  {
    key: "limits",
    type: "limits",
    default: {},
    doc: "Limits for agents that set none; times in milliseconds.",
  },
  {
    key: "locked_variables",
    type: "names",
    default: [],
    projectMay: [],
    doc: "Names of variables that keep what your configuration says of them, whatever a project, a definition, a model or a hook says.",
  },
  { key: "variables", type: "map", default: {}, doc: "What lifecycle variables start with." },
  {
    key: "hooks",
    type: "hooks",
    default: {},
    doc: "What is judged and done at events of runs, by event: see [lifecycle](lifecycle.md). Those of both files hold.",
  },
  {
    key: "executors",
    type: "executors",
    default: {},
    doc: "Programs that agents can be run by, by a name of your own, with `command`, `prompt`, `result`, `text`, `value`, `options`, `timeout`, `environment`, `sandbox`, `network`, `writable` and `visible`: see [executors](executors.md). A project's file may set the first seven, and changes none of yours.",
  },
  {
    key: "mcpServers",
    type: "mcpServers",
    default: {},
    doc: "Servers of tools by a name of your own, with `command`, `args`, `env`, `network`, `workspace`, `visible`, `writable` and `sandbox`, or with `url`, `headers` and `type`; and with `timeout`, `startTimeout` and `annotations`: see [MCP servers](mcp.md). A project's file may name none.",
  },
  {
    key: "retention",
    type: "age",
    projectMay: [],
    doc: "How long ended runs are kept, such as `30d` or `12w`. `cadre run` and `cadre resume` remove older ones when they end, at most once a day: see [runs that are kept](durability.md#how-long-runs-are-kept). Left out: for ever.",
  },
  { key: "rules", type: "severities", default: {}, doc: "How serious a rule is, by its code, or `off`." },
  { key: "packages", type: "names", default: [], doc: "Installed packages whose agents are loaded." },
]
