import { route } from "../../../agent/routing/route.ts"
import { escapeText } from "../../../ground/diagnostics/escape-text.ts"
import { defineCommand } from "../command.ts"
import { exitCode } from "../exit-code.ts"
import { writeJsonText } from "../terminal/json-text.ts"
import { formatTable } from "../terminal/table.ts"
import { openWorkspaceAt } from "../workspace.ts"

export const routeCommand = defineCommand({
  name: "route",
  summary: "Show which agent would get a request, and why",
  arguments: [{ name: "text", doc: "The request, in your own words", count: "some" }],
  options: {
    agent: { type: "value", value: "NAME", doc: "Ask for this agent", complete: "agent" },
    auto: { type: "flag", doc: "Match by words even if subagents.auto_route is off" },
    json: { type: "flag", doc: "Print JSON" },
  },
  examples: [
    {
      line: 'cadre route --auto "review the diff for security issues"',
      doc: "Show the scores of every agent that matches",
    },
    { line: 'cadre route "/use code-reviewer look at src/"', doc: "Name the agent in the request" },
  ],
  async run({ arguments: { text }, options, stdout, ...surroundings }) {
    const { registry, configuration } = openWorkspaceAt({ ...surroundings, stdout })
    const autoRoute = options.auto || configuration.subagents.autoRoute ? "on" : "off"
    const request = { text: text.join(" "), ...(options.agent !== undefined && { agent: options.agent }) }
    const answer = route(registry.all(), request, { autoRoute })
    if (options.json) stdout.write(writeJsonText(answer))
    else {
      const who = answer.type === "agent" ? answer.agent : "no agent"
      const hint =
        answer.reason === "Auto-routing disabled."
          ? " Set `subagents.auto_route: true` in .cadre/config.yaml, or use --auto."
          : ""
      stdout.write(`${escapeText(`${who}: ${answer.reason}`)}${hint}\n`)
      if (answer.scores.length > 0)
        stdout.write(
          `\n${formatTable([["SCORE", "AGENT", "MATCHED"], ...answer.scores.map(({ score, agent, matches }) => [String(score), agent, matches.join(", ")])])}\n`,
        )
    }
    return answer.type === "agent" ? exitCode.fine : exitCode.problems
  },
})
