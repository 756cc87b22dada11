import {
  backgroundField,
  colorField,
  defineAllowedToolsField,
  defineDescriptionField,
  defineDisallowedToolsField,
  defineLimitField,
  defineModelNameField,
  defineNameField,
  defineSameField,
  initialPromptEffect,
  mapType,
  memoryField,
  permissionModeField,
  textType,
  wordsType,
} from "./fields/common.ts"
import { defineForeignOutputField } from "./fields/output.ts"
import { mcpServersField } from "./fields/servers.ts"
import type { Format } from "./format.ts"

/** The keys that agents of a plugin cannot set: the author of a plugin does not decide them. */
const notInPlugins = [
  ["hooks", "hooks"],
  ["mcpServers", "mcpServers"],
  ["mcp-servers", "mcpServers"],
  ["mcp_servers", "mcpServers"],
  ["permissionMode", "permissionMode"],
] as const

/** Claude Code's subagents, as of August 2026. */
export const claude: Format = {
  id: "claude",
  title: "Claude Code",
  doc: "Subagents of Claude Code: markdown with YAML front matter, the body is the whole system prompt.",
  locations: {
    project: [".claude/agents"],
    user: [".claude/agents"],
    depth: "nested",
    extensions: [".md"],
  },
  name: {
    pattern: /^[^-:][^:]*$/,
    message: (name) =>
      `invalid agent name \`${name}\`: Claude Code skips a file whose name contains \`:\` or begins with \`-\`. Use lower-case letters and hyphens.`,
  },
  instructions: "optional",
  unknownKeys: "ignored",
  fields: [
    defineNameField("The name of the agent; the name of its file does not matter."),
    defineDescriptionField("When to delegate to this agent. Claude Code skips a file without it."),
    defineAllowedToolsField(
      "The tools that the agent may use: a list, or a text with commas between the names. Examples are `Read`, `mcp__server__*` (all tools of a server) and `Agent(a, b)` (these two agents).",
      "claude",
    ),
    defineDisallowedToolsField(
      "disallowedTools",
      "Tools it may not use, even if `tools` has them; `mcp__*` is every MCP tool.",
    ),
    defineModelNameField(
      "`sonnet`, `opus`, `haiku`, `fable`, `inherit`, a full model id, or null for the default.",
      {
        type: "either",
        of: [textType, { type: "null" }],
      },
    ),
    {
      ...permissionModeField,
      otherwise: "the mode of its caller",
    },
    defineLimitField(
      "maxTurns",
      "maxTurns",
      { type: "number", minimum: 1, whole: "whole" },
      "The most turns of a run.",
    ),
    defineSameField("skills", "skills", wordsType, "Skills to load in full before the first turn."),
    mcpServersField,
    defineSameField(
      "hooks",
      "hooks",
      mapType,
      "Hooks by Claude Code's names of events, such as PreToolUse, PostToolUse or Stop.",
    ),
    memoryField,
    backgroundField,
    defineSameField(
      "effort",
      "effort",
      {
        type: "either",
        of: [
          { type: "choice", of: ["low", "medium", "high", "xhigh", "max"] },
          { type: "number", whole: "whole" },
        ],
      },
      "The reasoning effort of the model.",
    ),
    defineSameField(
      "isolation",
      "isolation",
      { type: "choice", of: ["worktree"] },
      "A git worktree of its own.",
    ),
    colorField,
    {
      key: "initialPrompt",
      into: "context",
      doc: "The first user message when it runs as the main agent.",
      type: textType,
      effect: [initialPromptEffect],
      read: (draft, value) => {
        draft.context = { ...draft.context, initialPrompt: value as string }
      },
      write: ({ context }) => context?.initialPrompt,
    },
    defineForeignOutputField("claude", "Claude Code"),
  ],
  finish(draft, values, { report, options }) {
    if (options.plugin === undefined) return
    for (const [key, part] of notInPlugins) {
      if (values[key] === undefined) continue
      delete draft[part]
      report({
        code: "plugin-key",
        severity: "warning",
        message: `\`${key}\` is ignored in agents of a plugin (${options.plugin}): only files of the user and of the project can set it.`,
        at: { type: "key", path: [key] },
      })
    }
    if (draft.name !== undefined) draft.name = `${options.plugin}:${draft.name}`
  },
}
