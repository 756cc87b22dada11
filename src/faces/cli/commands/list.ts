import type { Agent } from "../../../agent/agent.ts"
import type { Pipeline } from "../../../agent/pipeline.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { createPainter, type Paint } from "../../../ground/diagnostics/paint.ts"
import { toDiagnosticJson } from "../../../ground/diagnostics/render-json.ts"
import { type CountedDiagnostic, renderSummary } from "../../../ground/diagnostics/render-summary.ts"
import { paintName, writeLabelledName } from "../agent-look.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { listOwnFiles } from "../own-files.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { type ColumnCut, fitColumns, formatTable, type PaintCell } from "../terminal/table.ts"
import { describeEntryTrust, type EntryTrust, getEntryTrust } from "../trust/entry-trust.ts"
import { readStandingAt } from "../trust/trust.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const listCommand = defineCommand({
  name: "list",
  summary: "List every agent that cadre finds here, and whether it can run",
  arguments: [],
  options: {
    json: { type: "flag", doc: "Print JSON" },
    names: { type: "flag", doc: "Print the names of usable agents, one a line", hidden: true },
  },
  examples: [
    { line: "cadre list", doc: "Show name, state, scope, format, model, tools and file of every agent" },
    {
      line: "cadre list --json | jq '.agents[] | select(.state == \"broken\")'",
      doc: "Show the agents that cannot run",
    },
  ],
  async run({ options, stdout, colour, ...surroundings }) {
    const workspace = openWorkspaceAt({ ...surroundings, stdout })
    const { registry } = workspace
    const entries = [...registry.entries()].sort(byName)
    const { directory } = surroundings
    const standing = readStandingAt(surroundings, workspace)
    const trustOf = (entry: RegistryEntry) => getEntryTrust(entry, standing)
    if (options.names)
      stdout.write(
        registry
          .names()
          .map((name) => `${name}\n`)
          .join(""),
      )
    else if (options.json)
      stdout.write(
        writeJsonText({
          agents: entries.map((entry) => entryJson(entry, directory, trustOf(entry))),
          diagnostics: allDiagnostics(workspace).map((diagnostic) => toDiagnosticJson(diagnostic, directory)),
        }),
      )
    else
      stdout.write(
        `${overview(entries, workspace, { base: directory, trustOf, paint: createPainter(colour), columns: surroundings.isTerminal ? (surroundings.columns ?? 80) : undefined })}\n`,
      )
    return exitCode.fine
  },
})

const entryJson = (
  { candidate: { agent, scope, file }, state }: RegistryEntry,
  base: string,
  trust: EntryTrust | undefined,
) => ({
  name: agent.name,
  ...(agent.label !== undefined && { label: agent.label }),
  ...(agent.color !== undefined && { color: agent.color }),
  description: agent.description,
  format: agent.origin.format,
  scope,
  file: file ? toDisplayPath(file.path, base) : null,
  model: agent.model ?? null,
  tools: agent.tools.mode === "inherit" ? null : agent.tools.allow,
  ...(agent.tools.deny.length > 0 && { disallowedTools: agent.tools.deny }),
  ...(agent.pipeline && { kind: "pipeline" }),
  ...(agent.executor !== undefined && { kind: "command", executor: agent.executor }),
  state: state.type,
  ...(state.type === "shadowed" && { shadowedBy: toDisplayPath(state.by, base) }),
  ...(trust && { trust }),
})

interface Showing {
  readonly base: string
  readonly trustOf: (entry: RegistryEntry) => EntryTrust | undefined
  readonly paint: Paint
  /** The width of the terminal. Absent: nothing is cut. */
  readonly columns: number | undefined
}

function overview(
  entries: readonly RegistryEntry[],
  workspace: Workspace,
  { base, trustOf, paint, columns }: Showing,
): string {
  // Only `check` works out whether a fix would be written.
  const findings: readonly CountedDiagnostic[] = [
    ...workspace.diagnostics,
    ...workspace.registry.findings(),
  ].map(({ file, severity }) => (file === undefined ? { severity } : { file, severity }))
  const files = listOwnFiles(workspace.registry)
  if (entries.length === 0 && findings.length === 0) return `No agents found. ${firstAgentsText}`
  const trusts = entries.map((entry) => describeEntryTrust(trustOf(entry)))
  const rows = entries.map((entry, index) => {
    const {
      candidate: { agent, scope, file },
      state,
    } = entry
    const became = state.type === "shadowed" ? `shadowed by ${toDisplayPath(state.by, base)}` : state.type
    return [
      writeLabelledName(agent.name, agent),
      `${became}${trusts[index]}`,
      scope,
      agent.origin.format,
      describeAgentModel(agent),
      agent.pipeline ? pipelineText(agent.pipeline) : describeAgentTools(agent),
      scope === "built-in" ? "built-in" : file ? toDisplayPath(file.path, base) : "code",
    ]
  })
  const inColour: PaintCell = (text, { row, column }) =>
    column === 0 ? paintName(text, entries[row - 1]?.candidate.agent, paint) : text
  const untrusted = trusts.some((trust) => trust !== "")
  const unread = files
    .filter(({ agent }) => !agent)
    .map(({ path }) => `  ${escapeText(toDisplayPath(path, base))}`)
  return [
    formatTable(
      fitColumns([["NAME", "STATE", "SCOPE", "FORMAT", "MODEL", "TOOLS", "FILE"], ...rows], columns, cuts),
      inColour,
    ),
    ...(unread.length > 0 ? [`\nFiles without a usable agent:\n${unread.join("\n")}`] : []),
    ...(untrusted
      ? ["\nAgents that are not trusted will not run. `cadre trust` shows what each would be allowed to do."]
      : []),
    ...(entries.every(({ candidate }) => candidate.scope === "built-in")
      ? [`\nAll agents in this list ship with cadre. ${firstAgentsText}`]
      : []),
    `\n${entries.length} ${entries.length === 1 ? "agent" : "agents"}. ${renderSummary(findings, files.length || undefined)}${findings.length > 0 ? ". `cadre check` shows them." : ""}`,
  ].join("\n")
}

/** The least important column first: format, tools, scope, model, file. */
const cuts: readonly ColumnCut[] = [
  { column: 5, least: 16 },
  { column: 3, least: 0 },
  { column: 4, least: 8 },
  { column: 5, least: 0 },
  { column: 2, least: 0 },
  { column: 6, least: 16 },
  { column: 4, least: 0 },
  { column: 1, least: 6 },
  { column: 6, least: 4 },
  { column: 0, least: 8 },
]

const firstAgentsText =
  "`cadre new NAME` creates your first own agent. Agents of Claude Code, Codex, acai and Gobby are found in the usual folders of those tools."

const allDiagnostics = ({ registry, diagnostics }: Workspace) => [...diagnostics, ...registry.diagnostics()]

export function describeAgentModel({ model, executor }: Agent): string {
  if (executor !== undefined) return `executor:${executor}`
  if (model === undefined) return "inherit"
  if (model === null) return "default"
  return typeof model === "string" ? model : JSON.stringify(model)
}

export const describeAgentTools = ({ tools: { mode, allow, deny } }: Agent): string =>
  `${mode === "inherit" ? "inherit" : allow.length === 0 ? "none" : allow.length > 4 ? `${allow.slice(0, 4).join(", ")} and ${allow.length - 4} more` : allow.join(", ")}${deny.length > 0 ? ` (not ${deny.join(", ")})` : ""}`

const pipelineText = ({ steps }: Pipeline): string =>
  `pipeline of ${steps?.length ?? 0} ${steps?.length === 1 ? "step" : "steps"}`

const byName = (left: RegistryEntry, right: RegistryEntry): number =>
  left.candidate.agent.name < right.candidate.agent.name
    ? -1
    : left.candidate.agent.name > right.candidate.agent.name
      ? 1
      : 0
