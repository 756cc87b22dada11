import type { Key } from "../../ground/keys.ts"
import type { Json } from "../../ground/message.ts"
import type { KeyType } from "./key-type.ts"

/** One setting: reading, the JSON Schema and the reference page all come from this. */
export interface ConfigurationKey extends Pick<Key, "key" | "doc"> {
  /** The type of its value. */
  readonly type: KeyType
  readonly default?: Json
  /** The environment variable that overrides the files of the user and of the project. */
  readonly variable?: string
  /** For a text: its possible values. */
  readonly choices?: readonly string[]
  /** The value that a project's file cannot undo once the user has set it. */
  readonly narrow?: boolean | string
  /** For a text: the values that a project's file may set. Others would undo a decision of the user. */
  readonly projectMay?: readonly Json[]
}

export const configurationKeys: readonly ConfigurationKey[] = [
  {
    key: "subagents.enabled",
    type: "flag",
    default: true,
    narrow: false,
    doc: "`false`: no agent may run. Agents can be listed and checked either way.",
    variable: "CADRE_SUBAGENTS_ENABLED",
  },
  {
    key: "subagents.auto_route",
    type: "flag",
    default: false,
    doc: "`true`: a request that names no agent goes to the agent whose name or keywords it contains.",
  },
  {
    key: "hide_built_in_agents",
    type: "patterns",
    default: [],
    doc: "Names of built-in agents to hide; `*` hides all of them. The lists of the user and of the project are combined.",
  },
  {
    key: "agents_dir",
    type: "folder",
    doc: "The folder that paths of scripts and models in Remora files are relative to.",
  },
  {
    key: "formats",
    type: "names",
    default: ["cadre", "claude", "codex-md", "acai", "gobby", "remora"],
    doc: "The order of formats, by id. If two files in one scope define the same agent, the earlier format wins.",
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
    doc: "The same as `presets`, which overrides it where both define a name.",
  },
  {
    key: "presets",
    type: "presets",
    default: {},
    doc: "Models by a name of your own. Each is another name, or an object with `provider`, `model`, `endpoint`, `parameters`, `effort`, `price` (US dollars for a million tokens), `window` and `sees` (`image`, `pdf`).",
  },
  {
    key: "providers",
    type: "providers",
    default: {},
    doc: "Providers of models, by a name of your own or the name of a built-in one. Keys: `protocol`, `baseUrl`, `key` and `token` (names of variables), `keyFile`, `endpoints`, `headers`, `headerVariables`, `package` and `strictTools`. A project's file may set only `protocol`, `baseUrl` and `strictTools`.",
  },
  {
    key: "strict_model",
    type: "flag",
    default: false,
    narrow: true,
    doc: "`true`: an answer of another model than the requested one ends the run. `false`: it is a warning.",
  },
  {
    key: "allow_model_override",
    type: "flag",
    default: true,
    narrow: false,
    doc: "`true`: a call may choose another model than the definition names.",
  },
  {
    key: "allowed_models",
    type: "model-lists",
    default: [],
    doc: "The models that may be used, as `provider/model` with `*` for any characters, such as `anthropic/*`. A model must be in the list of every file that has one, so a project can only narrow yours. Default: all.",
  },
  {
    key: "max_model_price.input",
    type: "price",
    doc: "The highest price that a model may have, in US dollars for a million tokens of input. If this is set, a model without a known price is refused. If the user's file and the project's file both set it, the lower value applies.",
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
    doc: "The number of questions to you. `plan`: nothing may change. `default`: asks before every change. `accept-edits`: asks only before commands. `bypass`: never asks.",
    variable: "CADRE_MODE",
  },
  {
    key: "unattended",
    type: "text",
    choices: ["rest", "fail", "deny"],
    default: "rest",
    doc: "A run that must ask may have no terminal to ask on, as in CI. `rest`: it waits for `cadre approve`, without a process. `fail`: it is stopped, and the command exits 1. `deny`: the call is denied, and the model is told.",
    variable: "CADRE_UNATTENDED",
  },
  {
    key: "notify",
    type: "text",
    choices: ["bell", "osc9", "off"],
    default: "bell",
    doc: "The sign of a terminal that a run of over half a minute rests or has ended. `bell`: its bell. `osc9`: a message of the desktop, in terminals that show OSC 9.",
    variable: "CADRE_NOTIFY",
  },
  {
    key: "confirm_cost",
    type: "price",
    default: 5,
    doc: "On a terminal, a run whose cost limit is above this many US dollars asks before it starts. `0`: it never asks. Only your own file counts.",
  },
  {
    key: "confirm_agents",
    type: "price",
    default: 25,
    doc: "On a terminal, a run that can start more agents than this asks before it starts. `0`: it never asks. Only your own file counts.",
  },
  {
    key: "delegation",
    type: "text",
    choices: ["own", "narrow"],
    projectMay: ["narrow"],
    default: "own",
    narrow: "narrow",
    doc: "The tools that a subagent may use. `own`: the tools of its own definition, except those that a run above it denies. `narrow`: of those, only the tools that its caller has too, or passes on with `delegates`. A tree keeps the value it began with.",
  },
  {
    key: "permissions.allow",
    type: "patterns",
    default: [],
    doc: "Calls that run without a question, such as `Bash(git status)`, `Edit(src/**)` or `WebFetch(docs.python.org)`. The lists of the user and of the project are combined.",
  },
  {
    key: "permissions.ask",
    type: "patterns",
    default: [],
    doc: "Calls that need your approval every time. The lists of the user and of the project are combined.",
  },
  {
    key: "permissions.deny",
    type: "patterns",
    default: [],
    doc: "Calls that never run, even if another rule allows them. A `Bash(…)` rule applies to the visible command, not to commands that a script runs in turn. The lists of the user and of the project are combined.",
  },
  {
    key: "sandbox",
    type: "text",
    choices: ["required", "preferred", "off"],
    projectMay: ["required"],
    default: "preferred",
    doc: "Whether commands run in a sandbox (bubblewrap): `required` refuses to run without one, `preferred` runs anyway and says so.",
    variable: "CADRE_SANDBOX",
  },
  {
    key: "network",
    type: "text",
    choices: ["none", "full"],
    projectMay: ["none"],
    default: "none",
    doc: "The network access of commands in the sandbox.",
    variable: "CADRE_NETWORK",
  },
  {
    key: "search.provider",
    type: "text",
    choices: ["brave", "tavily", "searxng"],
    projectMay: [],
    doc: "The provider of WebSearch. Without one the tool is absent, and a run that needs it says so.",
  },
  {
    key: "search.url",
    type: "text",
    projectMay: [],
    doc: "The address of that provider; required for searxng.",
  },
  {
    key: "search.key",
    type: "text",
    projectMay: [],
    doc: "The name of the environment variable with its key, never the key itself.",
  },
  { key: "tools", type: "names", default: [], doc: "Names of tools of your own that definitions may list." },
  { key: "skills", type: "folders", default: [], doc: "More folders with skills." },
  {
    key: "limits",
    type: "limits",
    default: {},
    doc: "Limits for agents that set none. Times are in milliseconds.",
  },
  {
    key: "locked_variables",
    type: "names",
    default: [],
    projectMay: [],
    doc: "Names of variables that keep the value of your configuration. No project, definition, model or hook can change them.",
  },
  { key: "variables", type: "map", default: {}, doc: "Initial values of lifecycle variables." },
  {
    key: "hooks",
    type: "hooks",
    default: {},
    doc: "Hooks by event: see [write a hook](../guides/write-a-hook.md). The hooks of the user and of the project both take effect.",
  },
  {
    key: "executors",
    type: "executors",
    default: {},
    doc: "Programs that can run agents, by a name of your own. Keys: `command`, `prompt`, `result`, `text`, `value`, `options`, `timeout`, `environment`, `sandbox`, `network`, `writable` and `visible`: see [executors](executors.md). A project's file may set only the first seven, and cannot change your entries.",
  },
  {
    key: "mcpServers",
    type: "mcpServers",
    default: {},
    doc: "MCP servers by a name of your own. A program has `command`, `args`, `env`, `network`, `workspace`, `visible`, `writable` and `sandbox`. A remote server has `url`, `headers` and `type`. Both have `timeout`, `startTimeout`, `tools` and `annotations`: see [MCP servers](mcp.md). A project's file cannot change your entries, turn the sandbox off or write a secret out.",
  },
  {
    key: "keep_files",
    type: "flag",
    default: true,
    narrow: false,
    doc: "`true`: the log keeps the text of files that tools and commands change, at most 1 MB each, for `cadre diff` and `cadre undo`. Secrets that cadre knows are removed from it.",
  },
  {
    key: "snapshots",
    type: "flag",
    default: true,
    narrow: false,
    doc: "`true`: before and after each command that may change files, cadre looks at the files of the workspace. `false`: `cadre diff` does not know what commands changed.",
  },
  {
    key: "retention",
    type: "age",
    projectMay: [],
    doc: "The time that ended runs are kept, such as `30d` or `12w`. `cadre run` and `cadre resume` remove older ones when they end, at most once a day: see [keep runs](../guides/keep-runs.md#remove-runs). Default: forever.",
  },
  { key: "rules", type: "severities", default: {}, doc: "The severity of a rule, by its code, or `off`." },
  { key: "packages", type: "names", default: [], doc: "Installed packages whose agents are loaded." },
]
