import { defineAgent } from "../../../agent/agent.ts"
import { requireValidConfiguration } from "../../../definitions/authority/effective-configuration.ts"
import { describeThrown } from "../../../ground/errors.ts"
import { isMap, type JsonMap } from "../../../ground/message.ts"
import { type ExitCode, exitCode } from "../exit-code.ts"
import { conduct } from "../run/conduct.ts"
import { readRunDepth } from "../run/depth.ts"
import { printFailureJson } from "../run/failure-json.ts"
import { openRuns } from "../run/open.ts"
import type { Driving } from "../run/options.ts"
import { requireUnchanged } from "../run/trust.ts"
import { closeWithTimeout, storeOf } from "../stored-runs/runs.ts"
import { UsageError } from "../usage-error.ts"
import { getOpenServers, type McpContext, requireServer } from "./open.ts"

interface Call extends Pick<Driving, "trust" | "mode"> {
  readonly server: string
  readonly tool: string
  /** The arguments, as JSON. */
  readonly input: string
  readonly print: "json" | "text"
  /** The answer if the call needs approval: `allow`, or the answer of a person at the terminal. */
  readonly asks: "allow" | "person"
}

/**
 * Calls a tool in a run of its own, whose agent makes only this call. So rules, modes and hooks apply as in every run, and
 * `cadre runs` and `cadre log` show the call. A call that needs approval is refused if there is no terminal and no `--yes`.
 */
export async function callServerTool(call: Call, context: McpContext): Promise<ExitCode> {
  const { server, tool, print, trust, mode } = call
  const input = readInput(call.input)
  const canAsk = context.screen !== undefined && context.stdin?.isTerminal === true
  const asks = call.asks === "person" && !canAsk ? "refuse" : call.asks
  const driving: Driving = { asks, print, trust, ...(mode && { mode }) }
  return printFailureJson(driving, context, async () => {
    const runs = openRuns(context, storeOf(context), { ...driving, model: "lenient", runs: "new" })
    try {
      requireServer(getOpenServers(runs, context), server)
      requireValidConfiguration(runs, context.directory)
      requireUnchanged(runs, context.directory, trust)
      const name = `mcp__${server}__${tool}`
      const agent = defineAgent({
        name: "mcp-call",
        description: "Makes one call that a person typed.",
        instructions: "Make the call.",
        tools: [name],
        call: { tool: name, input },
      })
      const handle = runs.runtime.run(agent, `${name} ${JSON.stringify(input)}`, {
        cwd: context.directory,
        ...readRunDepth(context, runs.configuration.limits.maxDepth),
      })
      const code = await conduct(runs, handle, driving, context)
      if (code === exitCode.denied && asks === "refuse")
        context.stderr.write(
          `To allow the call, approve it on a terminal, use --yes, or add ${name} to the list \`permissions: allow:\` in your config.yaml.\n`,
        )
      return code
    } finally {
      await closeWithTimeout(runs.runtime)
    }
  })
}

function readInput(text: string): JsonMap {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The arguments are not valid JSON: ${describeThrown(error)}. ${inputExample}`)
  }
  if (isMap(value as JsonMap)) return value as JsonMap
  throw new UsageError(`The arguments must be a JSON object, not ${text.slice(0, 60)}. ${inputExample}`)
}

const inputExample = `Quote the object for the shell, such as '{"path": "."}'.`
