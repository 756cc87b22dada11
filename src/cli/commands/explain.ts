import type { Agent } from "../../agent.ts"
import { isConfigurationTrusted } from "../../authority/standing.ts"
import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Entry } from "../../registry/entry.ts"
import type { SubagentRegistry } from "../../registry/registry.ts"
import { maskSecrets } from "../../rules/secrets.ts"
import { memoryStore } from "../../stores/memory.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { located } from "../explain/located.ts"
import { placeFinder, settingFinder } from "../explain/places.ts"
import { locatedText } from "../explain/text.ts"
import { jsonText } from "../json-text.ts"
import { openRuns } from "../run/open.ts"
import { folderOf, limitsOf, modelOf, variablesOf } from "../run/options.ts"
import { agentNamed } from "../run/request.ts"
import { requireTrust } from "../run/trust.ts"
import { explained } from "../settings.ts"
import { UntrustedError } from "../untrusted-error.ts"

export const command = defineCommand({
  name: "explain",
  summary: "Say what a run of an agent would have, who says so, and whom that overrules",
  arguments: [{ name: "name", doc: "The agent", complete: "agent" }],
  options: {
    parent: {
      type: "value",
      value: "AGENT",
      doc: "As a child of that agent; several from the root down",
      complete: "agent",
      repeatable: true,
    },
    model: { type: "value", value: "MODEL", doc: "As if the call said this model" },
    timeout: { type: "value", value: "TIME", doc: "As if the call said this time: seconds, or 30s, 5m, 1h" },
    "max-turns": { type: "value", value: "N", doc: "As if the call said this many turns" },
    "max-cost": { type: "value", value: "N", doc: "As if the call said this cost, in US dollars" },
    var: {
      type: "value",
      value: "NAME=VALUE",
      doc: "As if the call set this variable; what is JSON is read as JSON",
      repeatable: true,
    },
    "strict-model": { type: "flag", doc: "As in a run with --strict-model" },
    trust: { type: "flag", doc: "As in a run with --trust" },
    cwd: {
      type: "value",
      value: "DIR",
      doc: "Where it would work and its agents are looked for",
      complete: "file",
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre explain code-reviewer", doc: "Its model, tools, limits and variables, and why" },
    {
      line: "cadre explain tester --parent lead --model sonnet",
      doc: "The same as a child of an agent, with a model that the call names",
    },
  ],
  async run({ arguments: { name }, options, ...context }) {
    const { stdout } = context
    const limits = limitsOf(options)
    const variables = variablesOf(options.var ?? [])
    const directory = folderOf(context.directory, options.cwd)
    const around = { ...context, directory }
    const trust = options.trust ? "all" : "kept"
    const runs = openRuns(around, memoryStore(), {
      trust,
      model: options["strict-model"] ? "strict" : "lenient",
      runs: "new",
    })
    const { workspace, standing, runtime } = runs
    const { registry } = workspace
    try {
      const agent = agentNamed(name, registry)
      const parents = (options.parent ?? []).map((parent) => agentNamed(parent, registry))
      const explanation = await runtime.explain(agent, {
        parents,
        limits,
        variables,
        ...(options.model !== undefined && { model: modelOf(context.directory, options.model) }),
      })
      const refused = [
        ...[...parents, agent].flatMap((one) =>
          trust === "all" ? [] : refusal(() => requireTrust(one, registry, standing, context.directory)),
        ),
        ...explanation.problems.map(({ message }) => message),
      ]
      const entry = entryOf(agent, registry)
      const isFollowed = trust === "all" || isConfigurationTrusted(workspace, standing)
      const found = located(explanation, {
        agent,
        format: entry.candidate.file?.format,
        parent: parents.at(-1)?.name,
        place: placeFinder(entry),
        setting: settingFinder(explained(around), isFollowed ? "followed" : "untrusted"),
      })
      const names = parents.map((parent) => parent.name)
      const text = options.json
        ? jsonText({ agent: agent.name, parents: names, depth: explanation.depth, refused, ...found })
        : `${headText(entry, names, refused, context.directory)}\n\n${locatedText(found, context.directory)}\n`
      stdout.write(maskSecrets(text))
      return explanation.problems.length === 0 ? exitCode.fine : exitCode.problems
    } finally {
      await runtime.close()
    }
  },
})

const entryOf = (agent: Agent, registry: SubagentRegistry): Entry =>
  registry.entries().find(({ candidate }) => candidate.agent === agent)!

function refusal(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof UntrustedError)) throw error
    return [error.message]
  }
}

function headText(
  { candidate: { agent, scope, file } }: Entry,
  parents: readonly string[],
  refused: readonly string[],
  base: string,
): string {
  const place = file ? shownPath(file.path, base) : "written in code"
  return [
    `${agent.name} (${agent.origin.format}, ${scope}), ${place}`,
    parents.length === 0
      ? "As a root."
      : `As a child of ${parents.toReversed().join(", child of ")}, at depth ${parents.length}.`,
    ...refused.map((problem) => `It would be refused: ${problem}`),
  ]
    .map(escapeText)
    .join("\n")
}
