import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import type { Pipeline } from "../../../agent/pipeline.ts"
import { isFromProject } from "../../../definitions/authority/claims.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { createReachSearch, describeReached } from "../../../definitions/authority/reach.ts"
import { findRefusedAgents } from "../../../definitions/authority/trusted-agents.ts"
import type { WorkspaceTrust } from "../../../definitions/authority/workspace-trust.ts"
import { placeOfPart } from "../../../definitions/formats/format.ts"
import { shapeProblems } from "../../../definitions/pipelines/shape.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import type { DefinitionFile } from "../../../definitions/registry/file.ts"
import { explainFixes, makeFixableAgent } from "../../../definitions/registry/plan-fixes.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { hideSecrets } from "../../../definitions/rules/secrets/hide-secrets.ts"
import { describeAllowedTools } from "../../../definitions/workflow/allowed.ts"
import { getWorkflowFormat, readWorkflow } from "../../../definitions/workflow/read.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeLines, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { createRangeFinder, type Span } from "../../../ground/diagnostics/position.ts"
import { renderText } from "../../../ground/diagnostics/render-text.ts"
import { CadreError, listKnownNames } from "../../../ground/errors.ts"
import type { Json } from "../../../ground/message.ts"
import { listTemplateVariables } from "../../../run/begin/first-message.ts"
import { needsTask } from "../../../run/begin/require-task.ts"
import type { RunPreview } from "../../../run/explain/preview.ts"
import { listMessageAttachments } from "../../../run/log/hidden-attachments.ts"
import type { ReachableAgent } from "../../../run/rights/reach.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import { describeAttachment } from "../attachment-text.ts"
import { defineCommand, type ProcessContext } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { describePipeline } from "../pipeline-lines.ts"
import { openRuns } from "../run/open.ts"
import { readVariables } from "../run/options.ts"
import { formatLimit } from "../run/words.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { cutToOneLine, formatTable } from "../terminal/table.ts"
import { describeEntryTrust, getEntryTrust } from "../trust/entry-trust.ts"
import { readStandingAt } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const showAgentCommand = defineCommand({
  name: "show",
  summary: "Show one agent: each part, where it comes from, and what the model would get",
  arguments: [{ name: "name", doc: "The agent", complete: "agent" }],
  options: {
    task: { type: "value", value: "TASK", doc: "Show the exact request to the model for this task" },
    var: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Set a variable for --task. A value that is valid JSON is parsed as JSON",
      repeatable: true,
    },
    attach: {
      type: "value",
      value: "FILE",
      doc: "Attach an image or a PDF for --task, as in `cadre run`",
      complete: "file",
      repeatable: true,
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre show code-reviewer", doc: "Show every part with its file and line" },
    { line: 'cadre show code-reviewer --task "Review src/"', doc: "Show the request to the model" },
    { line: "cadre show linter --var node_text=x", doc: "Fill a variable of the agent's template" },
  ],
  async run({ arguments: { name }, options, stdout, colour, ...surroundings }) {
    const workspace = openWorkspaceAt({ ...surroundings, stdout })
    const { registry } = workspace
    const { directory } = surroundings
    const entries = registry.entries().filter(({ candidate }) => candidate.agent.name === name)
    const entry = entries.find(({ state }) => state.type === "active") ?? entries[0]
    if (!entry) {
      const names = registry.entries().map(({ candidate }) => candidate.agent.name)
      throw new UsageError(
        `There is no agent named ${JSON.stringify(name)}. ${listKnownNames(name, new Set(names))}`,
      )
    }
    const others = entries.filter((other) => other !== entry)
    const standing = readStandingAt(surroundings, workspace)
    const trust = getEntryTrust(entry, standing)
    const { agent } = entry.candidate
    const reach = createReachSearch(workspace, registry.all())(agent)
    const unshown = unshownOf(agent, reach, registry, standing)
    const request: FirstRequest = agent.pipeline
      ? pipelineRequest(agent.pipeline)
      : await firstRequest(agent, taskFor(agent, options), options.attach ?? [], { ...surroundings, stdout })
    const { file } = entry.candidate
    const diagnostics = registry.diagnostics().filter((diagnostic) => diagnostic.file === file?.path)
    if (options.json)
      stdout.write(
        writeJsonText({
          agent: entry.candidate.agent,
          state: entry.state.type,
          ...(trust && { trust }),
          reach,
          ...(unshown.length > 0 && { unshown: unshown.map(({ name: one }) => one) }),
          lines: Object.fromEntries(parts(entry).map(({ part, line }) => [part, line ?? null])),
          shadows: others.map(({ candidate }) => toDisplayPath(candidate.file?.path ?? "code", directory)),
          ...request,
        }),
      )
    else {
      const lines = reachText(reach, unshown)
      stdout.write(
        `${agentText(entry, others, directory, describeEntryTrust(trust))}\n${lines}\n${requestText(request)}\n`,
      )
      if (diagnostics.length > 0)
        stdout.write(
          `\n${renderText(explainFixes(diagnostics, file ? [makeFixableAgent(file)] : []), {
            colour,
            base: directory,
            source: () => file && hideSecrets(file.text, diagnostics),
            fixWith: "`cadre check --fix`",
          })}`,
        )
    }
    return exitCode.fine
  },
})

function agentText(
  entry: RegistryEntry,
  others: readonly RegistryEntry[],
  base: string,
  trust: string,
): string {
  const { agent, scope, file } = entry.candidate
  const rows = parts(entry).map(({ part, value, line }) => [
    part,
    cutToOneLine(typeof value === "string" ? value : JSON.stringify(value), 80),
    line === undefined ? "default" : `line ${line}`,
  ])
  const head = [
    `${agent.name} (${entry.state.type}${trust}, ${agent.origin.format}, ${scope})`,
    file
      ? `${toDisplayPath(file.path, base)}, sha256 ${agent.origin.hash?.slice(0, 12) ?? ""}`
      : "written in code",
    ...(entry.state.type === "shadowed" ? [`shadowed by ${toDisplayPath(entry.state.by, base)}`] : []),
    ...others.map(
      ({ candidate, state }) =>
        `also defined in ${toDisplayPath(candidate.file?.path ?? "code", base)} (${state.type})`,
    ),
  ]
  return [...head.map(escapeText), "", formatTable(rows), ...stepsText(agent)].join("\n")
}

/** The agents that this agent can reach only after the user has reviewed them with `cadre trust`. */
function unshownOf(
  agent: Agent,
  reach: readonly ReachableAgent[],
  registry: SubagentRegistry,
  standing: WorkspaceTrust,
): readonly ReachableAgent[] {
  const { scope, file } = agent.origin
  const reviewed = isFromProject(scope) && file !== undefined ? standing.shownReach(file, reach) : reach
  const refused = findRefusedAgents(registry, standing)
  return reach.filter((one) => refused.has(one.name) || !reviewed.includes(one))
}

/** The agents that this agent can start, directly or through others. */
function reachText(reach: readonly ReachableAgent[], unshown: readonly ReachableAgent[]): string {
  const line = (words: string, some: readonly ReachableAgent[]) =>
    some.length === 0 ? [] : [`\n${escapeText(`${words}: ${some.map(describeReached).join(", ")}`)}\n`]
  const callable = reach.filter((one) => !unshown.includes(one))
  return [...line("Can start", callable), ...line("Can start after `cadre trust`", unshown)].join("")
}

/** The steps of the agent's workflow, one line per step. */
function stepsText(agent: Agent): readonly string[] {
  const { workflow: written = null, name } = agent
  if (typeof written !== "object" || written === null) return []
  const { workflow } = readWorkflow(written, { name, as: getWorkflowFormat(agent) })
  if (!workflow) return []
  const lines = workflow.steps.map((step) => {
    const ways = step.transitions.map(({ to }) => to).join(", ")
    return [step.name, describeAllowedTools(step), ways && `to ${ways}`]
  })
  return ["", escapeText(`Steps of the workflow ${workflow.name}:`), formatTable(lines)]
}

interface Part {
  readonly part: string
  readonly value: unknown
  /** Undefined if the file does not set the part. */
  readonly line: number | undefined
}

/** Every part of the agent except its instructions, with the line of the file that sets the part. */
function parts({ candidate: { agent, file } }: RegistryEntry): readonly Part[] {
  const rangeOf = file && createRangeFinder(file.text)
  return Object.entries(flat(agent)).map(([part, value]) => {
    const span = file && spanOf(part, agent, file)
    return { part, value, line: span && rangeOf?.(span).start.line }
  })
}

/** The place of a part; undefined if no key of the file sets it. Extensions begin at their first key. */
function spanOf(part: string, { extensions }: Agent, { format, locate }: DefinitionFile): Span | undefined {
  const place = placeOfPart(format, part, undefined, locate)
  if (place.type === "value") return locate(place)
  if (part !== "extensions") return undefined
  const spans = Object.keys(extensions?.[format?.id ?? ""] ?? {}).flatMap(
    (key) => locate({ type: "key", path: [key] }) ?? [],
  )
  return spans.sort((left, right) => left.start - right.start)[0]
}

function flat(agent: Agent): Readonly<Record<string, unknown>> {
  const { origin: _, instructions: __, pipeline: ___, tools, limits, rules, variables, ...rest } = agent
  return {
    ...rest,
    model: agent.model === undefined ? "inherit" : agent.model,
    "tools.allow": tools.mode === "inherit" ? "inherit" : tools.allow,
    ...(tools.deny.length > 0 && { "tools.deny": tools.deny }),
    ...Object.fromEntries(
      Object.entries(limits).map(([name, value]) => [`limits.${name}`, formatLimit(name, value)]),
    ),
    ...(rules.length > 0 && { rules }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

/** The first request to the model, or the reason why none is sent, or the steps of a pipeline. */
type FirstRequest =
  | { readonly request: RunPreview }
  | { readonly problem: string }
  | { readonly steps: readonly string[] }

const pipelineRequest = (pipeline: Pipeline): FirstRequest =>
  shapeProblems(pipeline.steps).length === 0
    ? { steps: describePipeline(pipeline) }
    : { problem: "The pipeline has invalid steps. `cadre check` shows the problems." }

interface ShownTask {
  readonly task: string
  readonly variables: { readonly [name: string]: Json }
}

/** The task to show. Without --task and --var, placeholders stand for the task and for open variables. */
function taskFor(
  agent: Agent,
  {
    task,
    var: assignments,
  }: { readonly task?: string | undefined; readonly var?: readonly string[] | undefined },
): ShownTask {
  const variables = readVariables(assignments ?? [], agent)
  if (task !== undefined || assignments !== undefined)
    return { task: task ?? (needsTask(agent) ? "{{task}}" : ""), variables }
  const used = listTemplateVariables(agent)
  const open = used.filter((name) => name !== "task" && !Object.hasOwn(agent.variables, name))
  return {
    task: needsTask(agent) || used.includes("task") ? "{{task}}" : "",
    variables: Object.fromEntries(open.map((name) => [name, `{{${name}}}`])),
  }
}

/** Prepares the request of a run's first turn, with a store in memory. */
async function firstRequest(
  agent: Agent,
  { task, variables }: ShownTask,
  files: readonly string[],
  surroundings: ProcessContext,
): Promise<FirstRequest> {
  try {
    const runs = openRuns(surroundings, memoryStore(), shownOnly)
    requireValidConfiguration(runs, surroundings.directory)
    const { runtime } = runs
    const attachments = files.map((file) => ({ path: path.resolve(surroundings.directory, file) }))
    const request = await runtime.preview(agent, task, {
      cwd: surroundings.directory,
      variables,
      ...(attachments.length > 0 && { attachments }),
    })
    await runtime.close()
    return { request }
  } catch (error) {
    if (error instanceof CadreError) return { problem: error.message }
    throw error
  }
}

const shownOnly = {
  trust: "kept",
  mode: undefined,
  sandbox: undefined,
  model: "lenient",
  runs: "new",
} as const

function requestText(first: FirstRequest): string {
  if ("steps" in first) return `--- pipeline\n${first.steps.map(escapeText).join("\n")}`
  if ("problem" in first) return `--- nothing would be sent\n${escapeLines(first.problem)}`
  const { system, messages, tools, model, modelSaidAt = [], warnings } = first.request
  const bytes = Buffer.byteLength(JSON.stringify(tools))
  const names = tools.map(({ name }) => name).join(", ")
  return [
    "--- system",
    escapeLines(system),
    ...messages.flatMap((message) => [
      `--- ${message.role}`,
      escapeLines(message.text),
      ...listMessageAttachments(message).map((one) => escapeText(`[with ${describeAttachment(one)}]`)),
    ]),
    `--- tools (${bytes} bytes with descriptions and schemas)`,
    escapeText(names || "none"),
    "--- model",
    escapeText(["problem" in model ? model.problem : model.resolved, ...modelSaidAt].join(", ")),
    ...warnings.map((warning) => `Note: ${escapeText(warning)}`),
  ].join("\n")
}
