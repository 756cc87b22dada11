import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import type { Json } from "../../../ground/message.ts"
import type { HookIdle } from "../../../run/explain/explain-hooks.ts"
import { cutToOneLine } from "../terminal/table.ts"
import type { LocatedHook } from "./locate-hooks.ts"

/** Files whose hooks never run: untrusted ones, and ones that are switched off. */
interface NotAsked {
  readonly unfollowed?: readonly string[]
  readonly off?: readonly { readonly file: string; readonly why: string }[]
}

/** Lists hooks in the order in which they run: each with its place, its conditions and its effects. */
export function describeHooks(
  hooks: readonly LocatedHook[],
  base: string,
  { unfollowed = [], off = [] }: NotAsked = {},
): string {
  const lines = hooks.flatMap((hook, index) => [
    `${index + 1}. ${hook.name}, ${hook.events.join(" and ")}, ${whose(hook, base)}`,
    ...(hook.tools ? [line("tools", hook.tools.join(", "))] : []),
    ...(hook.agents ? [line("agents", hook.agents.join(", "))] : []),
    ...(hook.runs ? [line("runs", runsText[hook.runs])] : []),
    ...(hook.mcpTools ? [line("MCP tools", hook.mcpTools.join(", "))] : []),
    ...(hook.commands?.found === undefined ? [] : [line("commands with", hook.commands.found)]),
    ...(hook.commands?.without === undefined ? [] : [line("and without", hook.commands.without)]),
    ...(hook.when === null ? [] : [line("when", hook.when)]),
    ...hook.effects.map(({ type, ...rest }) => line(String(type), effectText(rest))),
    ...(hook.spares.length > 0
      ? [line("exempts", `runs of ${hook.spares.join(", ")}, and their subagents`)]
      : []),
    ...(hook.idle ? [line("never here", idleText(hook.idle))] : []),
  ])
  const files = unfollowed.map((file) => toDisplayPath(file, base)).join(", ")
  return [
    "HOOKS",
    ...(lines.length === 0 ? ["none"] : lines),
    ...(files === ""
      ? []
      : [`Not used, because they are not trusted: ${files}. Run \`cadre trust\` to review them.`]),
    ...off.map(({ file, why }) => `Off: ${toDisplayPath(file, base)} (${why}).`),
  ]
    .map(escapeText)
    .join("\n")
}

const line = (name: string, text: string): string => `   ${name.padEnd(14)}  ${cutToOneLine(text, 200)}`

const words: Readonly<Record<LocatedHook["of"], string>> = {
  program: "from the program",
  workflow: "from its workflow",
  user: "from your configuration",
  project: "from the project",
  definition: "from the agent's own file",
}

const whose = ({ of, place }: LocatedHook, base: string): string =>
  place === null
    ? words[of]
    : `${words[of]}, ${toDisplayPath(place.file, base)}:${place.line}:${place.column}`

function idleText(idle: HookIdle): string {
  switch (idle.type) {
    case "spawned":
      return "the hook started this run, or a run above it"
    case "agent":
      return `the hook would start ${idle.agent}, and this run is one of ${idle.agent} or below one`
    case "tools":
      return "the run has none of these tools"
    case "agents":
      return "the hook is for other agents"
    case "runs":
      return "the hook is for other runs"
  }
}

const runsText = { roots: "root runs only", children: "subagent runs only" } as const

const effectText = (effect: LocatedHook["effects"][number]): string =>
  Object.entries(effect)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(", ")

const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
