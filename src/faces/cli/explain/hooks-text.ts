import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import type { Json } from "../../../ground/message.ts"
import type { HookIdle } from "../../../run/explain/explain-hooks.ts"
import { oneLine } from "../terminal/table.ts"
import type { LocatedHook } from "./located-hooks.ts"

/** Files whose hooks are not asked. */
interface NotAsked {
  readonly unfollowed?: readonly string[]
  readonly off?: readonly { readonly file: string; readonly why: string }[]
}

/** Hooks in the order in which they judge: each with its place, and below it what it does when. */
export function hooksText(
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
    ...(hook.spares.length > 0 ? [line("spares", `runs of ${hook.spares.join(", ")}, and below`)] : []),
    ...(hook.idle ? [line("never here", idleText(hook.idle))] : []),
  ])
  const files = unfollowed.map((file) => shownPath(file, base)).join(", ")
  return [
    "HOOKS",
    ...(lines.length === 0 ? ["none"] : lines),
    ...(files === "" ? [] : [`Not followed, because nobody trusts them as they are: ${files}.`]),
    ...off.map(({ file, why }) => `Off: ${shownPath(file, base)} (${why}).`),
  ]
    .map(escapeText)
    .join("\n")
}

const line = (name: string, text: string): string => `   ${name.padEnd(14)}  ${oneLine(text, 200)}`

const words: Readonly<Record<LocatedHook["of"], string>> = {
  program: "the program's",
  workflow: "what its workflow holds it to",
  user: "yours",
  project: "the project's",
  definition: "its own",
}

const whose = ({ of, place }: LocatedHook, base: string): string =>
  place === null ? words[of] : `${words[of]}, ${shownPath(place.file, base)}:${place.line}:${place.column}`

function idleText(idle: HookIdle): string {
  switch (idle.type) {
    case "spawned":
      return "it spawned this run, or one above it"
    case "agent":
      return `this is a run of ${idle.agent}, which it would spawn, or below one`
    case "tools":
      return "the run is offered none of these tools"
    case "agents":
      return "it is for other agents"
    case "runs":
      return "it is for other runs"
  }
}

const runsText = { roots: "those that nobody calls", children: "those that another run calls" } as const

const effectText = (effect: LocatedHook["effects"][number]): string =>
  Object.entries(effect)
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join(", ")

const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))
