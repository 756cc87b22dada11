import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { canonicalTools, catalogueDate, type Host, hosts } from "../../../agent/catalogue/tools.ts"
import { openProject } from "../../../assembly/project/open-project.ts"
import { knownNames } from "../../../ground/errors.ts"
import { subagentTools } from "../../../world/tools/subagents.ts"
import { defineCommand, type Surroundings } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { jsonText } from "../terminal/json-text.ts"
import { oneLine, table } from "../terminal/table.ts"
import { placeIn } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"

export const command = defineCommand({
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
    const chosen = hosts.filter(({ id }) => options.host === undefined || id === options.host)
    if (name !== undefined) {
      const meaning = meaningOf(name, options.host, chosen)
      stdout.write(options.json ? jsonText(meaning) : `${meaningText(meaning)}\n`)
      return exitCode.fine
    }
    const ours = ourTools({ ...surroundings, stdout })
    if (options.json)
      stdout.write(jsonText({ tools: ours, date: catalogueDate, hosts: chosen.map(hostJson) }))
    else {
      if (options.host === undefined)
        stdout.write(`${table([["TOOL", "EFFECT", "HERE", "WHAT IT DOES"], ...ours.map(toolRow)])}\n\n`)
      stdout.write(
        `${chosen.map(hostText).join("\n\n")}\n\nCompared with their sources on ${catalogueDate}.\n`,
      )
    }
    return exitCode.fine
  },
})

interface OurTool {
  readonly name: string
  readonly effect: string | null
  readonly description: string | null
  /** Whether runs that are started here have it. */
  readonly registered: boolean
  /** Why not. */
  readonly reason?: string
}

/** As a run that is started here would have them. */
function ourTools(surroundings: Surroundings): readonly OurTool[] {
  const { parts } = openProject({ ...placeIn(surroundings), trust: "kept", runs: "new" })
  const { tools, absentTools } = parts
  return canonicalTools.map((name): OurTool => {
    const tool = [...tools, ...subagentTools()].find((known) => known.name === name)
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
  registered ? oneLine(description ?? "", 110) : `Not here: ${reason}.`,
]

interface HostJson {
  readonly id: string
  readonly source: string
  readonly names: Readonly<Record<string, readonly string[]>>
  readonly foreign: readonly string[]
}

/** By the host's own names, each with the tools of ours it stands for. */
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
    ...(rows.length > 0 ? [table(rows)] : []),
    ...(foreign.length > 0 ? [`  without an equivalent here: ${foreign.join(", ")}`] : []),
  ].join("\n")
}

interface Meaning {
  readonly name: string
  readonly type: string
  /** Tools of ours that it stands for. */
  readonly tools: readonly string[]
  readonly hosts: readonly {
    readonly id: string
    readonly source: string
    readonly tools: readonly string[]
  }[]
}

function meaningOf(name: string, host: string | undefined, chosen: readonly Host[]): Meaning {
  const known = lookUpTool(name, host)
  if (known.type === "unknown") {
    const names = [...canonicalTools, ...hosts.flatMap((one) => Object.keys(hostJson(one).names))]
    throw new UsageError(`Nobody calls a tool ${JSON.stringify(name)}. ${knownNames(name, new Set(names))}`)
  }
  const tools = known.type === "tool" || known.type === "equivalent" ? [known.name] : []
  const also = known.type === "equivalent" ? (known.also ?? []) : []
  return {
    name,
    type: known.type,
    tools: [...tools, ...also],
    hosts: chosen.flatMap((one) => {
      const { id, source, names, foreign } = hostJson(one)
      if (known.type === "tool") {
        const theirs = Object.keys(names).filter((key) => names[key]!.includes(name))
        return theirs.length > 0 ? [{ id, source, tools: theirs }] : []
      }
      if (Object.hasOwn(names, name)) return [{ id, source, tools: names[name]! }]
      return foreign.includes(name) ? [{ id, source, tools: [] }] : []
    }),
  }
}

function meaningText({ name, type, tools, hosts: found }: Meaning): string {
  const head = {
    tool: `${name} is a tool of ours. Elsewhere it is called:`,
    equivalent: `${name} means ${tools.join(" and ")} here. It is a name of:`,
    foreign: `${name} has no equivalent here. It is a tool of:`,
    mcp: `${name} is a tool of an MCP server.`,
    pattern: `${name} is a pattern, for every tool whose name fits.`,
  }[type]
  const rows = found.map((one) => [`  ${one.id}`, one.tools.join(", ") || "-", one.source])
  return [head ?? name, ...(rows.length > 0 ? [table(rows)] : [])].join("\n")
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")
