import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartProblem } from "../../ground/errors.ts"
import { submitName } from "../words/prompt.ts"

/**
 * The problem of an agent whose tools are scripts, which cadre does not run yet. A program may register a tool of the
 * same name in place of a script. A tool that ships with cadre never stands in, because it does something else.
 */
export function findScriptProblems(
  agent: Agent,
  registered: ReadonlyMap<string, Tool>,
): readonly StartProblem[] {
  const { name, tools, toolDefinitions = [] } = agent
  const isStuck = (tool: string) =>
    tool !== submitName &&
    isGranted(agent, tool) &&
    (!registered.has(tool) || lookUpTool(tool).type === "tool")
  const stuck = toolDefinitions.map((tool) => tool.name).filter(isStuck)
  const [first] = stuck
  if (first === undefined) return []
  const listIndex = tools.allow.findIndex((entry) => splitToolName(entry).name === first)
  const place =
    listIndex >= 0
      ? { part: "tools.allow", path: [listIndex] }
      : { part: "toolDefinitions", path: [toolDefinitions.findIndex((tool) => tool.name === first)] }
  const [is, it] = stuck.length === 1 ? ["is a script", "it"] : ["are scripts", "them"]
  return [
    {
      code: "TOOL_UNKNOWN",
      kind: "written",
      rule: "tool-script",
      ...place,
      message: `Agent ${JSON.stringify(name)} does not start, because ${describeTools(stuck)} ${is}, and scripts are not run yet. Remove ${it} from the tools, or run the agent from a program that has tools of these names (\`createRuntime({ tools })\`).`,
    },
  ]
}

function isGranted({ tools: { mode, allow, deny } }: Agent, tool: string): boolean {
  const entries = allow.map((text) => (text.includes("*") ? "*" : splitToolName(text).name))
  return !deny.includes(tool) && (mode === "inherit" || entries.includes("*") || entries.includes(tool))
}

const mostNamed = 20

function describeTools(names: readonly string[]): string {
  const listedNames =
    names.length > mostNamed ? [...names.slice(0, mostNamed), `${names.length - mostNamed} more`] : names
  return listedNames.length === 1
    ? `its tool ${listedNames[0]}`
    : `its tools ${listedNames.slice(0, -1).join(", ")} and ${listedNames.at(-1)}`
}
