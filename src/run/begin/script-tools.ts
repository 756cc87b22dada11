import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartProblem } from "../../ground/errors.ts"
import { submitName } from "../words/prompt.ts"

/**
 * Why an agent whose tools are scripts does not start: scripts are not run yet. A program may have a tool of the very
 * same name in place of one, but never a tool that ships, which does something else.
 */
export function scriptProblems(agent: Agent, registered: ReadonlyMap<string, Tool>): readonly StartProblem[] {
  const { name, tools, toolDefinitions = [] } = agent
  const isStuck = (tool: string) =>
    tool !== submitName &&
    isGranted(agent, tool) &&
    (!registered.has(tool) || lookUpTool(tool).type === "tool")
  const stuck = toolDefinitions.map((tool) => tool.name).filter(isStuck)
  const [first] = stuck
  if (first === undefined) return []
  const listed = tools.allow.findIndex((entry) => splitToolName(entry).name === first)
  const place =
    listed >= 0
      ? { part: "tools.allow", path: [listed] }
      : { part: "toolDefinitions", path: [toolDefinitions.findIndex((tool) => tool.name === first)] }
  const [is, it] = stuck.length === 1 ? ["is a script", "it"] : ["are scripts", "them"]
  return [
    {
      code: "TOOL_UNKNOWN",
      kind: "written",
      rule: "tool-script",
      ...place,
      message: `Agent ${JSON.stringify(name)} does not start, because ${inWords(stuck)} ${is}, and scripts are not run yet. Remove ${it} from the tools, or run the agent from a program that has tools of these names (\`createRuntime({ tools })\`).`,
    },
  ]
}

function isGranted({ tools: { mode, allow, deny } }: Agent, tool: string): boolean {
  const entries = allow.map((text) => (text.includes("*") ? "*" : splitToolName(text).name))
  return !deny.includes(tool) && (mode === "inherit" || entries.includes("*") || entries.includes(tool))
}

const mostNamed = 20

function inWords(names: readonly string[]): string {
  const shown =
    names.length > mostNamed ? [...names.slice(0, mostNamed), `${names.length - mostNamed} more`] : names
  return shown.length === 1
    ? `its tool ${shown[0]}`
    : `its tools ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`
}
