import type { Agent } from "../../../agent/agent.ts"
import { requireSound } from "../../../definitions/authority/followed-configuration.ts"
import { hooksThatAreOff, unfollowedHooks } from "../../../definitions/authority/unfollowed-hooks.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import { maskSecrets } from "../../../definitions/rules/secrets/secrets.ts"
import { escapeLines } from "../../../ground/diagnostics/escape-text.ts"
import { shownPath } from "../../../ground/diagnostics/shown-path.ts"
import { CadreError } from "../../../ground/errors.ts"
import { memoryStore } from "../../../world/stores/memory.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { aroundOf } from "../explain/around.ts"
import { hooksText } from "../explain/hooks-text.ts"
import { located } from "../explain/located.ts"
import { locatedHooks } from "../explain/located-hooks.ts"
import { locatedText } from "../explain/text.ts"
import { openRuns } from "../run/open.ts"
import { folderOf, limitsOf, modelOf, variablesOf } from "../run/options.ts"
import { agentNamed } from "../run/request.ts"
import { requireTrust, requireUnchanged } from "../run/trust.ts"
import { jsonText } from "../terminal/json-text.ts"
import { UntrustedError } from "../trust/untrusted-error.ts"

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
    hooks: { type: "flag", doc: "Which hooks judge its runs, in their order, and where they are written" },
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
    { line: "cadre explain tester --hooks", doc: "The hooks of its runs, and those that never judge them" },
  ],
  async run({ arguments: { name }, options, ...context }) {
    const { stdout } = context
    const limits = limitsOf(options)
    const variables = (agent?: Agent) => variablesOf(options.var ?? [], agent)
    variables()
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
        cwd: directory,
        limits,
        variables: variables(agent),
        ...(options.model !== undefined && { model: modelOf(context.directory, options.model) }),
      })
      const unsound = refusal(() => requireSound(runs, context.directory))
      const untrusted = () =>
        [...parents, agent].flatMap((one) =>
          refusal(() => requireTrust(one, registry, standing, context.directory)),
        )
      const refused = [
        ...unsound,
        ...refusal(() => requireUnchanged(runs, context.directory, trust)),
        ...(trust === "all" ? [] : untrusted()),
        ...explanation.problems.map(({ message }) => message),
      ]
      const said = aroundOf(agent, parents.at(-1), runs, around, trust)
      const { entry } = said
      const found = options.hooks
        ? {
            hooks: locatedHooks(explanation.hooks, entry),
            unfollowed: trust === "all" ? [] : unfollowedHooks(workspace, standing),
            off: hooksThatAreOff(workspace),
          }
        : located(explanation, said)
      const names = parents.map((parent) => parent.name)
      const shown =
        "hooks" in found
          ? hooksText(found.hooks, context.directory, found)
          : locatedText(found, context.directory)
      const text = options.json
        ? jsonText({ agent: agent.name, parents: names, depth: explanation.depth, refused, ...found })
        : `${headText(entry, names, refused, context.directory)}\n\n${shown}\n`
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
    .map(escapeLines)
    .join("\n")
}
