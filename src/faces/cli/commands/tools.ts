import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, catalogueDate, type Host, hosts } from "../../../agent/catalogue/tools.ts"
import { openProject } from "../../../assembly/project/open-project.ts"
import { listKnownNames } from "../../../ground/errors.ts"
import { agentControlTools } from "../../../world/tools/subagents.ts"
import { defineCommand, type ProcessContext } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import { placeIn } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"

export const toolsCommand = defineCommand({
  name: "tools",
  summary: "Show cadre's tools, and their names in other hosts",
  arguments: [{ name: "name", doc: "One tool, by its name here or in another host", count: "optional" }],
  options: {
    host: {
      type: "value",
      value: "HOST",
      doc: "Show the names of one host only",
      choices: hosts.map(({ id }) => id),
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre tools", doc: "Show all tools with their names in other hosts" },
    { line: "cadre tools run_shell_command", doc: "Show what another host's tool is called here" },
    { line: "cadre tools --host gemini", doc: "Show which tools of another host exist here" },
  ],
  async run({ arguments: { name }, options, stdout, ...surroundings }) {
    const chosenHosts = hosts.filter(({ id }) => options.host === undefined || id === options.host)
    if (name !== undefined) {
      const meaning = meaningOf(name, options.host, chosenHosts)
      stdout.write(options.json ? writeJsonText(meaning) : `${meaningText(meaning)}\n`)
      return exitCode.fine
    }
    const ours = ourTools({ ...surroundings, stdout })
    if (options.json)
      stdout.write(writeJsonText({ tools: ours, date: catalogueDate, hosts: chosenHosts.map(hostJson) }))
    else {
      if (options.host === undefined)
        stdout.write(`${formatTable([["TOOL", "EFFECT", "HERE", "WHAT IT DOES"], ...ours.map(toolRow)])}\n\n`)
      stdout.write(
        `${chosenHosts.map(hostText).join("\n\n")}\n\nThe names were last checked on ${catalogueDate}.\n`,
      )
    }
    return exitCode.fine
  },
})

interface OurTool {
  readonly name: string
  readonly effect: string | null
  readonly description: string | null
  /** True if runs that are started here can have the tool. */
  readonly registered: boolean
  /** The reason why the tool is not available. */
  readonly reason?: string
}

/** Cadre's tools, with what a run that is started here would get. */
function ourTools(surroundings: ProcessContext): readonly OurTool[] {
  const { parts } = openProject({ ...placeIn(surroundings), trust: "kept", runs: "new" })
  const { tools, absentTools } = parts
  return canonicalTools.map((name): OurTool => {
    const tool = [...tools, ...agentControlTools()].find((candidate) => candidate.name === name)
    if (tool) {
      const description = tool.description.split("\n")[0]!
      return { name, effect: tool.effect, description, registered: true }
    }
    return {
      name,
      effect: null,
      description: null,
      registered: false,
      reason: absentTools[name] ?? "not built in",
    }
  })
}

const toolRow = ({ name, effect, description, registered, reason }: OurTool): readonly string[] => [
  name,
  effect ?? "-",
  registered ? "yes" : "no",
  registered ? cutToOneLine(description ?? "", 110) : `Not available: ${reason}.`,
]

interface HostJson {
  readonly id: string
  readonly source: string
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly foreign: readonly string[]
}

/** A host's tool names, each with cadre's tools of the same meaning. */
function hostJson({ id, source, equivalents, foreign }: Host): HostJson {
  const names = new Map<string, string[]>()
  for (const [tool, text] of Object.entries(equivalents))
    for (const name of words(text)) names.set(name, [...(names.get(name) ?? []), tool])
  return { id, source, names: Object.fromEntries(names), foreign: words(foreign) }
}

function hostText(host: Host): string {
  const { id, source, names, foreign } = hostJson(host)
  const rows = Object.entries(names).map(([name, ours]) => [`  ${name}`, ours.join(", ")])
  return [
    `${id}: ${source}`,
    ...(rows.length > 0 ? [formatTable(rows)] : []),
    ...(foreign.length > 0 ? [`  no equivalent in cadre: ${foreign.join(", ")}`] : []),
  ].join("\n")
}

interface Meaning {
  readonly name: string
  readonly type: string
  /** Cadre's tools of the same meaning. */
  readonly tools: readonly string[]
  readonly hosts: readonly {
    readonly id: string
    readonly source: string
    readonly tools: readonly string[]
  }[]
}

function meaningOf(name: string, host: string | undefined, chosenHosts: readonly Host[]): Meaning {
  const match = lookUpTool(name, host)
  if (match.type === "unknown") {
    const names = [...canonicalTools, ...hosts.flatMap((one) => Object.keys(hostJson(one).names))]
    throw new UsageError(`No tool is named ${JSON.stringify(name)}. ${listKnownNames(name, new Set(names))}`)
  }
  const tools = match.type === "tool" || match.type === "equivalent" ? [match.name] : []
  const also = match.type === "equivalent" ? (match.also ?? []) : []
  return {
    name,
    type: match.type,
    tools: [...tools, ...also],
    hosts: chosenHosts.flatMap((one) => {
      const { id, source, names, foreign } = hostJson(one)
      if (match.type === "tool") {
        const theirs = Object.keys(names).filter((key) => names[key]!.includes(name))
        return theirs.length > 0 ? [{ id, source, tools: theirs }] : []
      }
      if (Object.hasOwn(names, name)) return [{ id, source, tools: names[name]! }]
      return foreign.includes(name) ? [{ id, source, tools: [] }] : []
    }),
  }
}

function meaningText({ name, type, tools, hosts: matches }: Meaning): string {
  const head = {
    tool: `${name} is a tool of cadre. Other hosts call it:`,
    equivalent: `${name} is called ${tools.join(" and ")} in cadre. It is a tool of:`,
    foreign: `${name} has no equivalent in cadre. It is a tool of:`,
    mcp: `${name} is a tool of an MCP server.`,
    pattern: `${name} is a pattern for every tool whose name matches.`,
  }[type]
  const rows = matches.map((one) => [`  ${one.id}`, one.tools.join(", ") || "-", one.source])
  return [head ?? name, ...(rows.length > 0 ? [formatTable(rows)] : [])].join("\n")
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")
