import {
  background,
  color,
  description,
  disallowedTools,
  initialPrompt,
  limit,
  list,
  map,
  mcpServers,
  memory,
  model,
  name,
  permissionMode,
  same,
  text,
  tools,
  words,
} from "./fields/common.ts"
import { outputIn } from "./fields/output.ts"
import type { Format } from "./format.ts"

/** What a plugin's agents cannot set: their authors are not the ones who decide it. */
const notInPlugins = ["hooks", "mcpServers", "permissionMode"] as const

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
      `invalid agent name \`${name}\`: Claude Code skips a file whose name contains \`:\` or begins with \`-\`. Lower-case letters and hyphens are the custom.`,
  },
  instructions: "optional",
  unknownKeys: "ignored",
  fields: [
    name("What the agent is called; the name of the file does not matter."),
    description("When to delegate to this agent; without it Claude Code skips the file."),
    tools(
      "Tools it may use, such as `Read, Grep`, `mcp__server__*` or `Agent(a, b)`. A list, or one text with commas.",
      "claude",
    ),
    disallowedTools(
      "disallowedTools",
      "Tools taken away, whatever `tools` says; `mcp__*` is every MCP tool.",
    ),
    model("`sonnet`, `opus`, `haiku`, `fable`, `inherit`, a full model id, or null for the default.", {
      type: "either",
      of: [text, { type: "null" }],
    }),
    {
      ...permissionMode,
      otherwise: "that of whoever calls it",
    },
    limit("maxTurns", "maxTurns", { type: "number", minimum: 1, whole: "whole" }, "At most so many turns."),
    same("skills", "skills", words, "Skills whose whole text is loaded before the first turn."),
    {
      ...mcpServers,
      type: { type: "either", of: [list, map] },
      read: (draft, value) => {
        draft.mcpServers = Array.isArray(value)
          ? (value as NonNullable<typeof draft.mcpServers>)
          : Object.entries(value as object).map(([server, configuration]) => ({ [server]: configuration }))
      },
    },
    same("hooks", "hooks", map, "Hooks by event: PreToolUse, PostToolUse, Stop."),
    memory,
    background,
    same(
      "effort",
      "effort",
      {
        type: "either",
        of: [
          { type: "choice", of: ["low", "medium", "high", "xhigh", "max"] },
          { type: "number", whole: "whole" },
        ],
      },
      "How hard the model should think.",
    ),
    same("isolation", "isolation", { type: "choice", of: ["worktree"] }, "A git worktree of its own."),
    color,
    {
      key: "initialPrompt",
      into: "context",
      doc: "The first user message when it runs as the main agent.",
      type: text,
      effect: [initialPrompt],
      read: (draft, value) => {
        draft.context = { ...draft.context, initialPrompt: value as string }
      },
      write: ({ context }) => context?.initialPrompt,
    },
    outputIn("claude", "Claude Code"),
  ],
  finish(draft, values, { report, options }) {
    if (options.plugin === undefined) return
    for (const key of notInPlugins) {
      if (values[key] === undefined) continue
      delete draft[key]
      report({
        code: "plugin-key",
        severity: "warning",
        message: `\`${key}\` is ignored in the agents of a plugin (${options.plugin}): only the user's and the project's own files can set it.`,
        at: { type: "key", path: [key] },
      })
    }
    if (draft.name !== undefined) draft.name = `${options.plugin}:${draft.name}`
  },
}
