import type { Agent } from "../../../agent/agent.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { findDisabledHooks, findUntrustedHooks } from "../../../definitions/authority/untrusted-hooks.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import { toDisplayPath } from "../../../ground/diagnostics/display-path.ts"
import { escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import { CadreError } from "../../../ground/errors.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { gatherAgentPlaces } from "../explain/agent-places.ts"
import { describeHooks } from "../explain/hooks-text.ts"
import { locateExplanation } from "../explain/locate-explanation.ts"
import { locateHooks } from "../explain/locate-hooks.ts"
import { describeExplanation } from "../explain/text.ts"
import { openRuns } from "../run/open.ts"
import { readLimitOptions, readVariables, resolveFolder, resolveScriptModel } from "../run/options.ts"
import { requireAgent } from "../run/request.ts"
import { requireTrust, requireUnchanged } from "../run/trust.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"

export const explainCommand = defineCommand({
  name: "explain",
  summary: "Show an agent's effective model, tools and limits, and where each comes from",
  arguments: [{ name: "name", doc: "The agent", complete: "agent" }],
  options: {
    parent: {
      type: "value",
      value: "AGENT",
      doc: "Show it as a subagent of this agent. Repeat the option for a longer chain, root first",
      complete: "agent",
      repeatable: true,
    },
    model: { type: "value", value: "MODEL", doc: "Show it for a call that names this model" },
    timeout: {
      type: "value",
      value: "TIME",
      doc: "Show it for a call with this timeout: seconds, or 30s, 5m, 1h",
    },
    "max-turns": { type: "value", value: "N", doc: "Show it for a call with this turn limit" },
    "max-cost": { type: "value", value: "N", doc: "Show it for a call with this cost limit, in US dollars" },
    var: {
      type: "value",
      value: "NAME=VALUE",
      doc: "Show it for a call that sets this variable. A value that is valid JSON is parsed as JSON",
      repeatable: true,
    },
    hooks: { type: "flag", doc: "Show the hooks that apply to its runs, in order, with their files" },
    "strict-model": { type: "flag", doc: "Show it for a run with --strict-model" },
    trust: { type: "flag", doc: "Show it for a run with --trust" },
    cwd: {
      type: "value",
      value: "DIR",
      doc: "The project folder. Default: the current folder",
      complete: "file",
    },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    { line: "cadre explain code-reviewer", doc: "Show its effective values, and why" },
    {
      line: "cadre explain tester --parent lead --model sonnet",
      doc: "Show it as a subagent of lead, called with another model",
    },
    {
      line: "cadre explain tester --hooks",
      doc: "Show the hooks that apply to its runs, and the hooks that never do",
    },
  ],
  async run({ arguments: { name }, options, ...context }) {
    const { stdout } = context
    const limits = readLimitOptions(options)
    const variables = (agent?: Agent) => readVariables(options.var ?? [], agent)
    variables()
    const directory = resolveFolder(context.directory, options.cwd)
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
      const agent = requireAgent(name, registry)
      const parents = (options.parent ?? []).map((parent) => requireAgent(parent, registry))
      const explanation = await runtime.explain(agent, {
        parents,
        cwd: directory,
        limits,
        variables: variables(agent),
        ...(options.model !== undefined && { model: resolveScriptModel(context.directory, options.model) }),
      })
      const unsound = refusal(() => requireValidConfiguration(runs, context.directory))
      const untrusted = () =>
        [...parents, agent].flatMap((one) =>
          refusal(() => requireTrust(one, registry, standing, context.directory)),
        )
      const refusals = [
        ...unsound,
        ...refusal(() => requireUnchanged(runs, context.directory, trust)),
        ...(trust === "all" ? [] : untrusted()),
        ...explanation.problems.map(({ message }) => message),
      ]
      const places = gatherAgentPlaces(agent, parents.at(-1), runs, around, trust)
      const { entry } = places
      const explained = options.hooks
        ? {
            hooks: locateHooks(explanation.hooks, entry),
            unfollowed: trust === "all" ? [] : findUntrustedHooks(workspace, standing),
            off: findDisabledHooks(workspace),
          }
        : locateExplanation(explanation, places)
      const names = parents.map((parent) => parent.name)
      const body =
        "hooks" in explained
          ? describeHooks(explained.hooks, context.directory, explained)
          : describeExplanation(explained, context.directory)
      const text = options.json
        ? writeJsonText({
            agent: agent.name,
            parents: names,
            depth: explanation.depth,
            refused: refusals,
            ...explained,
          })
        : `${headText(entry, names, refusals, context.directory)}\n\n${body}\n`
      stdout.write(maskSecrets(text))
      return explanation.problems.length + unsound.length === 0 ? exitCode.fine : exitCode.problems
    } finally {
      await runtime.close()
    }
  },
})

function refusal(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof UntrustedError || error instanceof CadreError)) throw error
    return [error.message]
  }
}

function headText(
  { candidate: { agent, scope, file } }: RegistryEntry,
  parents: readonly string[],
  refusals: readonly string[],
  base: string,
): string {
  const place = file ? toDisplayPath(file.path, base) : "written in code"
  return [
    `${agent.name} (${agent.origin.format}, ${scope}), ${place}`,
    parents.length === 0
      ? "As a root run."
      : `As a subagent of ${parents.toReversed().join(", subagent of ")}, at depth ${parents.length}.`,
    ...refusals.map((problem) => `It cannot run: ${problem}`),
  ]
    .map(escapeLines)
    .join("\n")
}
