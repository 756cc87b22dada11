import type { Agent } from "../../agent/agent.ts"
import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { toolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { knownNames, type StartProblem, shownName } from "../../ground/errors.ts"
import type { Environment } from "../ports/environment.ts"
import type { ToolSource } from "../ports/tool-source.ts"

/** A tool that a definition names, and where. */
export interface ToolEntry {
  readonly text: string
  readonly part: "tools.allow" | "tools.deny" | "delegates" | "rules"
  readonly index: number
}

/** Every tool that a definition names. What a program is to use are tools of its own. */
export function toolEntries({ executor, tools, delegates = [], rules }: Agent): readonly ToolEntry[] {
  const entries = (part: ToolEntry["part"], names: readonly string[]) =>
    names.map((text, index): ToolEntry => ({ text, part, index }))
  return [
    ...(executor === undefined
      ? [...entries("tools.allow", tools.allow), ...entries("tools.deny", tools.deny)]
      : []),
    ...entries("delegates", delegates),
    ...entries(
      "rules",
      rules.map(({ tool }) => tool),
    ),
  ]
}

/** Why an agent that names these, which no registered tool answers to, does not start: one reason for each kind of name. */
export function toolNameProblems(
  agent: Agent,
  wrong: readonly ToolEntry[],
  { tools, toolSource }: Pick<Environment, "tools" | "toolSource">,
): readonly StartProblem[] {
  const byReason = new Map<Reason, ToolEntry[]>()
  const byServer = new Map<string, Reason>()
  const misspelt: StartProblem[] = []
  for (const entry of wrong) {
    const message = toolTextProblem(entry.text)
    if (message !== undefined) {
      misspelt.push({ ...ofArgument, part: entry.part, path: [entry.index], message })
      continue
    }
    const found = reasonOf(entry)
    const why = found === ofServer ? toolSource?.whyNot(entry.text) : undefined
    if (why !== undefined && !byServer.has(why)) byServer.set(why, notHad(entry.text, why, toolSource!))
    const reason = why === undefined ? found : byServer.get(why)
    if (reason) byReason.set(reason, [...(byReason.get(reason) ?? []), entry])
  }
  const unknown = [...byReason].map(([{ words, ...reason }, entries]) => {
    const [{ part, index }] = entries as [ToolEntry]
    const names = entries.map(({ text }) => text)
    const message = words(`Agent "${agent.name}"`, names, tools.keys())
    return { code: "TOOL_UNKNOWN" as const, ...reason, part, path: [index], message }
  })
  return [...misspelt, ...unknown]
}

/** The tool may well be registered: what stands in its parentheses is wrong. */
const ofArgument = { code: "AGENT_INVALID", kind: "written", rule: "tool-argument" } as const

/** A server does not have it, or cannot be asked. */
const notHad = (name: string, why: string, source: ToolSource): Reason => ({
  // What is not configured is missing wherever the definition goes.
  kind: source.knows(name) ? "here" : "written",
  rule: "tool-mcp",
  words: (owner, names) => `${owner} names ${listed(names)}, but ${why}`,
})

/** Undefined: it is harmless. A tool of an MCP server that is not there needs no denying. */
function reasonOf({ text, part }: ToolEntry): Reason | undefined {
  switch (lookUpTool(text).type) {
    case "mcp":
      return part === "tools.allow" || part === "delegates" ? ofServer : undefined
    case "tool":
    case "equivalent":
      return notGiven
    default:
      return unknown
  }
}

/** Also said of rules of a configuration. */
export const unregistered = (owner: string, names: readonly string[], known: Iterable<string>): string =>
  `${owner} names ${listed(names)}, but no such tool is registered. ${knownNames(names[0]!, known)}`

interface Reason extends Pick<StartProblem, "kind" | "rule"> {
  readonly words: typeof unregistered
}

const unknown: Reason = { kind: "written", rule: "tool-unknown", words: unregistered }

/** There is such a tool, and this runtime was not given it. */
const notGiven: Reason = { kind: "here", rule: "tool-unknown", words: unregistered }

const ofServer: Reason = {
  kind: "written",
  rule: "tool-mcp",
  words: (owner, names) =>
    `${owner} names ${listed(names)}, which ${names.length === 1 ? "is a tool of an MCP server" : "are tools of MCP servers"}. No MCP server is configured here, so the agent cannot start. ${instead(names)}`,
}

const instead = ({ length }: readonly string[]): string =>
  length === 1
    ? "Name the server in your own configuration (`mcpServers`), or take it out."
    : "Name the servers in your own configuration (`mcpServers`), or take them out."

const shownNames = 10

function listed(names: readonly string[]): string {
  const first = names.slice(0, shownNames).map(shownName)
  return names.length > shownNames
    ? `${first.join(", ")} and ${names.length - shownNames} more`
    : first.join(", ")
}
