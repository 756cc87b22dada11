import path from "node:path"
import type { Agent } from "../../../agent/agent.ts"
import type { Pipeline } from "../../../agent/pipeline.ts"
import { isProjects } from "../../../definitions/authority/claims.ts"
import { requireSound } from "../../../definitions/authority/followed-configuration.ts"
import { reachedText, reachIn } from "../../../definitions/authority/reach.ts"
import type { Standing } from "../../../definitions/authority/standing.ts"
import { refusedClaims } from "../../../definitions/authority/trusted-agents.ts"
import { placeOf } from "../../../definitions/formats/format.ts"
import { shapeProblems } from "../../../definitions/pipelines/shape.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import type { ReadFile } from "../../../definitions/registry/file.ts"
import { fixableAgent, withReasons } from "../../../definitions/registry/plan-fixes.ts"
import type { SubagentRegistry } from "../../../definitions/registry/registry.ts"
import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import { allowedText } from "../../../definitions/workflow/allowed.ts"
import { readWorkflow, writtenAs } from "../../../definitions/workflow/read.ts"
import { escapeLines, escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { rangeFinder, type Span } from "../../../ground/diagnostics/position.ts"
import { renderText } from "../../../ground/diagnostics/render-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { CadreError, knownNames } from "../../../ground/errors.ts"
import type { Json } from "../../../ground/message.ts"
import { templateVariables } from "../../../run/begin/first-message.ts"
import { needsTask } from "../../../run/begin/require-task.ts"
import type { Preview } from "../../../run/explain/preview.ts"
import { attachmentsOf } from "../../../run/log/left-out.ts"
import type { Reached } from "../../../run/rights/reach.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import { attachmentText } from "../attachment-text.ts"
import { defineCommand, type Surroundings } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { pipelineLines } from "../pipeline-lines.ts"
import { openRuns } from "../run/open.ts"
import { variablesOf } from "../run/options.ts"
import { jsonText } from "../terminal/json-text.ts"
import { oneLine, table } from "../terminal/table.ts"
import { entryTrust, entryTrustText } from "../trust/entry-trust.ts"
import { standingAt } from "../trust/trust.ts"
import { UsageError } from "../usage-error.ts"
import { workspaceOf } from "../workspace.ts"

export const command = defineCommand({
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
    const workspace = workspaceOf({ ...surroundings, stdout })
    const { registry } = workspace
    const { directory } = surroundings
    const entries = registry.entries().filter(({ candidate }) => candidate.agent.name === name)
    const entry = entries.find(({ state }) => state.type === "active") ?? entries[0]
    if (!entry) {
      const names = registry.entries().map(({ candidate }) => candidate.agent.name)
      throw new UsageError(
        `There is no agent named ${JSON.stringify(name)}. ${knownNames(name, new Set(names))}`,
      )
    }
    const others = entries.filter((other) => other !== entry)
    const standing = standingAt(surroundings, workspace)
    const trust = entryTrust(entry, standing)
    const { agent } = entry.candidate
    const reach = reachIn(workspace, registry.all())(agent)
    const unshown = unshownOf(agent, reach, registry, standing)
    const sent: Sent = agent.pipeline
      ? followed(agent.pipeline)
      : await firstRequest(agent, taskFor(agent, options), options.attach ?? [], { ...surroundings, stdout })
    const { file } = entry.candidate
    const found = registry.diagnostics().filter((diagnostic) => diagnostic.file === file?.path)
    if (options.json)
      stdout.write(
        jsonText({
          agent: entry.candidate.agent,
          state: entry.state.type,
          ...(trust && { trust }),
          reach,
          ...(unshown.length > 0 && { unshown: unshown.map(({ name: one }) => one) }),
          lines: Object.fromEntries(parts(entry).map(({ part, line }) => [part, line ?? null])),
          shadows: others.map(({ candidate }) => shownPath(candidate.file?.path ?? "code", directory)),
          ...sent,
        }),
      )
    else {
      const lines = reachText(reach, unshown)
      stdout.write(
        `${described(entry, others, directory, entryTrustText(trust))}\n${lines}\n${sentText(sent)}\n`,
      )
      if (found.length > 0)
        stdout.write(
          `\n${renderText(withReasons(found, file ? [fixableAgent(file)] : []), {
            colour,
            base: directory,
            source: () => file && maskSecrets(file.text),
            fixWith: "`cadre check --fix`",
          })}`,
        )
    }
    return exitCode.fine
  },
})

function described(entry: Entry, others: readonly Entry[], base: string, trust: string): string {
  const { agent, scope, file } = entry.candidate
  const rows = parts(entry).map(({ part, value, line }) => [
    part,
    oneLine(typeof value === "string" ? value : JSON.stringify(value), 80),
    line === undefined ? "default" : `line ${line}`,
  ])
  const head = [
    `${agent.name} (${entry.state.type}${trust}, ${agent.origin.format}, ${scope})`,
    file
      ? `${shownPath(file.path, base)}, sha256 ${agent.origin.hash?.slice(0, 12) ?? ""}`
      : "written in code",
    ...(entry.state.type === "shadowed" ? [`shadowed by ${shownPath(entry.state.by, base)}`] : []),
    ...others.map(
      ({ candidate, state }) =>
        `also defined in ${shownPath(candidate.file?.path ?? "code", base)} (${state.type})`,
    ),
  ]
  return [...head.map(escapeText), "", table(rows), ...stepsText(agent)].join("\n")
}

/** Of those whom it reaches, who cannot be called before a person has been shown them. */
function unshownOf(
  agent: Agent,
  reach: readonly Reached[],
  registry: SubagentRegistry,
  standing: Standing,
): readonly Reached[] {
  const { scope, file } = agent.origin
  const shown = isProjects(scope) && file !== undefined ? standing.shownReach(file, reach) : reach
  const refused = refusedClaims(registry, standing)
  return reach.filter((one) => refused.has(one.name) || !shown.includes(one))
}

/** Whom it may have work, itself or through others. */
function reachText(reach: readonly Reached[], unshown: readonly Reached[]): string {
  const line = (words: string, some: readonly Reached[]) =>
    some.length === 0 ? [] : [`\n${escapeText(`${words}: ${some.map(reachedText).join(", ")}`)}\n`]
  const callable = reach.filter((one) => !unshown.includes(one))
  return [...line("Reaches", callable), ...line("Reaches after `cadre trust`", unshown)].join("")
}

/** What a run would go through, a line a step. */
function stepsText(agent: Agent): readonly string[] {
  const { workflow: written = null, name } = agent
  if (typeof written !== "object" || written === null) return []
  const { workflow } = readWorkflow(written, { name, as: writtenAs(agent) })
  if (!workflow) return []
  const lines = workflow.steps.map((step) => {
    const ways = step.transitions.map(({ to }) => to).join(", ")
    return [step.name, allowedText(step), ways && `to ${ways}`]
  })
  return ["", escapeText(`Steps of the workflow ${workflow.name}:`), table(lines)]
}

interface Part {
  readonly part: string
  readonly value: unknown
  /** Undefined: the file does not say it. */
  readonly line: number | undefined
}

/** Every part of the agent but its instructions, with the line of the file that says it. */
function parts({ candidate: { agent, file } }: Entry): readonly Part[] {
  const rangeOf = file && rangeFinder(file.text)
  return Object.entries(flat(agent)).map(([part, value]) => {
    const span = file && spanOf(part, agent, file)
    return { part, value, line: span && rangeOf?.(span).start.line }
  })
}

/** Undefined: no key of the file says it. What is kept of a file begins with the first key that is kept. */
function spanOf(part: string, { extensions }: Agent, { format, locate }: ReadFile): Span | undefined {
  const place = placeOf(format, part, undefined, locate)
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
    ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [`limits.${name}`, value])),
    ...(rules.length > 0 && { rules }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

/** What a model would be sent first, or why nothing would be; or what is done in place of asking one. */
type Sent =
  | { readonly request: Preview }
  | { readonly problem: string }
  | { readonly steps: readonly string[] }

const followed = (pipeline: Pipeline): Sent =>
  shapeProblems(pipeline.steps).length === 0
    ? { steps: pipelineLines(pipeline) }
    : { problem: "Its steps cannot be followed." }

interface ShownTask {
  readonly task: string
  readonly variables: { readonly [name: string]: Json }
}

/** Where nothing is said of a task, what it would be made of stands in its place. */
function taskFor(
  agent: Agent,
  { task, var: given }: { readonly task?: string | undefined; readonly var?: readonly string[] | undefined },
): ShownTask {
  const variables = variablesOf(given ?? [], agent)
  if (task !== undefined || given !== undefined)
    return { task: task ?? (needsTask(agent) ? "{{task}}" : ""), variables }
  const used = templateVariables(agent)
  const open = used.filter((name) => name !== "task" && !Object.hasOwn(agent.variables, name))
  return {
    task: needsTask(agent) || used.includes("task") ? "{{task}}" : "",
    variables: Object.fromEntries(open.map((name) => [name, `{{${name}}}`])),
  }
}

/** As a run would begin, in a store that is gone with this process. */
async function firstRequest(
  agent: Agent,
  { task, variables }: ShownTask,
  files: readonly string[],
  surroundings: Surroundings,
): Promise<Sent> {
  try {
    const runs = openRuns(surroundings, memoryStore(), shownOnly)
    requireSound(runs, surroundings.directory)
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

function sentText(sent: Sent): string {
  if ("steps" in sent) return `--- pipeline\n${sent.steps.map(escapeText).join("\n")}`
  if ("problem" in sent) return `--- nothing would be sent\n${escapeLines(sent.problem)}`
  const { system, messages, tools, model, modelSaidAt = [], warnings } = sent.request
  const bytes = Buffer.byteLength(JSON.stringify(tools))
  const names = tools.map(({ name }) => name).join(", ")
  return [
    "--- system",
    escapeLines(system),
    ...messages.flatMap((message) => [
      `--- ${message.role}`,
      escapeLines(message.text),
      ...attachmentsOf(message).map((one) => escapeText(`[with ${attachmentText(one)}]`)),
    ]),
    `--- tools (${bytes} bytes with descriptions and schemas)`,
    escapeText(names || "none"),
    "--- model",
    escapeText(["problem" in model ? model.problem : model.resolved, ...modelSaidAt].join(", ")),
    ...warnings.map((warning) => `Note: ${escapeText(warning)}`),
  ].join("\n")
}
