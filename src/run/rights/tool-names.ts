import type { Agent } from "../../agent/agent.ts"
import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import { findToolTextProblem } from "../../agent/catalogue/tool-text.ts"
import { listKnownNames, quoteName, type StartProblem } from "../../ground/errors.ts"
import type { Environment } from "../ports/environment.ts"
import type { MissingTool, ToolSource } from "../ports/tool-source.ts"

/** A tool name in a definition, and its place. */
export interface ToolEntry {
  readonly text: string
  readonly part: "tools.allow" | "tools.deny" | "delegates" | "rules"
  readonly index: number
}

/** Every tool name in a definition. The tools of a program are its own, so they are left out. */
export function listToolEntries({ executor, tools, delegates = [], rules }: Agent): readonly ToolEntry[] {
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

/** The reasons why an agent with these unregistered names does not start: one for each kind of name. */
export function findToolNameProblems(
  agent: Agent,
  wrong: readonly ToolEntry[],
  { tools, toolSource }: Pick<Environment, "tools" | "toolSource">,
): readonly StartProblem[] {
  const byReason = new Map<Reason, ToolEntry[]>()
  const byServer = new Map<string, Reason>()
  const misspelt: StartProblem[] = []
  for (const entry of wrong) {
    const message = findToolTextProblem(entry.text)
    if (message !== undefined) {
      misspelt.push({ ...ofArgument, part: entry.part, path: [entry.index], message })
      continue
    }
    const general = reasonOf(entry)
    const why = general === ofServer ? toolSource?.whyNot(entry.text, agent) : undefined
    if (why !== undefined && !byServer.has(why.text))
      byServer.set(why.text, notHad(entry.text, why, agent, toolSource!))
    const reason = why === undefined ? general : byServer.get(why.text)
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

/** The tool may well be registered: the text in its parentheses is invalid. */
const ofArgument = { code: "AGENT_INVALID", kind: "written", rule: "tool-argument" } as const

/** A server is not configured, cannot be reached, or does not have the tool. */
const notHad = (name: string, { cause, text }: MissingTool, agent: Agent, source: ToolSource): Reason => ({
  // A server that failed may answer elsewhere. An unknown one is missing everywhere, and so is a tool that it lacks.
  kind:
    cause === "server-failed" || (cause === "server-unknown" && source.knows(name, agent))
      ? "here"
      : "written",
  rule: cause === "tool-unknown" || cause === "tool-unusable" ? "tool-mcp-unknown" : "tool-mcp",
  words: (owner, names) => `${owner} names ${listed(names)}, but ${text}`,
})

/** Undefined: the entry is harmless. Denying a tool of a missing MCP server has no effect. */
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

/** Words the problem of unknown tool names, in an agent's lists or in the rules of a configuration. */
export const describeUnregistered = (
  owner: string,
  names: readonly string[],
  registered: Iterable<string>,
): string =>
  `${owner} names ${listed(names)}, but no such tool is registered. ${listKnownNames(names[0]!, registered)}`

interface Reason extends Pick<StartProblem, "kind" | "rule"> {
  readonly words: typeof describeUnregistered
}

const unknown: Reason = { kind: "written", rule: "tool-unknown", words: describeUnregistered }

/** The tool exists, but this runtime does not have it. */
const notGiven: Reason = { kind: "here", rule: "tool-unknown", words: describeUnregistered }

const ofServer: Reason = {
  kind: "written",
  rule: "tool-mcp",
  words: (owner, names) =>
    `${owner} names ${listed(names)}, which ${names.length === 1 ? "is a tool of an MCP server" : "are tools of MCP servers"}. No MCP server is configured here, so the agent cannot start. ${instead(names)}`,
}

const instead = ({ length }: readonly string[]): string =>
  length === 1
    ? "Add the server to your own configuration (`mcpServers`), or remove the name."
    : "Add the servers to your own configuration (`mcpServers`), or remove the names."

const mostNames = 10

function listed(names: readonly string[]): string {
  const first = names.slice(0, mostNames).map(quoteName)
  return names.length > mostNames
    ? `${first.join(", ")} and ${names.length - mostNames} more`
    : first.join(", ")
}
