import type { Agent } from "../../agent/agent.ts"
import { lookUpTool, splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Tool } from "../../agent/tool.ts"
import type { StartProblem } from "../../ground/errors.ts"
import { isScriptTool } from "../rights/tool-list.ts"
import { submitName } from "../words/prompt.ts"

/**
 * The problems of an agent whose tools are scripts that cannot run. A program may register a tool of the same name in
 * place of a script. A tool that ships with cadre never stands in, because it does something else.
 */
export function findScriptProblems(
  agent: Agent,
  registered: ReadonlyMap<string, Tool>,
): readonly StartProblem[] {
  const { name, toolDefinitions = [] } = agent
  const isStuck = (tool: string) =>
    tool !== submitName &&
    isGranted(agent, tool) &&
    !isScriptTool(registered.get(tool)) &&
    (!registered.has(tool) || lookUpTool(tool).type === "tool")
  const stuck = toolDefinitions.map((tool) => tool.name).filter(isStuck)
  const broken = findBrokenScripts(agent, registered)
  const [first] = stuck
  if (first === undefined) return broken
  const [is, it] = stuck.length === 1 ? ["is a script", "it"] : ["are scripts", "them"]
  return [
    {
      code: "TOOL_UNKNOWN",
      kind: "written",
      rule: "tool-script",
      ...placeOfTool(agent, first),
      message: `Agent ${JSON.stringify(name)} does not start, because ${describeTools(stuck)} ${is}, and ${stuck.some((tool) => registered.has(tool)) ? "a tool of that name ships with cadre, which scripts do not replace" : "this program runs no scripts"}. Rename ${it} or remove ${it} from the tools, or run the agent from a program that has tools of these names (\`createRuntime({ tools })\`).`,
    },
    ...broken,
  ]
}

/** Scripts that are not there, are not trusted, or do not pass their check. */
function findBrokenScripts(agent: Agent, registered: ReadonlyMap<string, Tool>): readonly StartProblem[] {
  return (agent.toolDefinitions ?? []).flatMap((definition): readonly StartProblem[] => {
    const tool = registered.get(definition.name)
    if (tool?.kind !== "function" || !tool.ofDefinition || !isGranted(agent, definition.name)) return []
    const script = tool.ofDefinition(definition, agent)
    // Agents that are given to a runtime are checked again when they start.
    if (script === "unread" || !("problem" in script)) return []
    return [
      {
        code: "TOOL_SCRIPT",
        kind: "written",
        rule: "tool-script",
        ...placeOfTool(agent, definition.name),
        message: `Agent ${JSON.stringify(agent.name)} does not start, because the script of its tool ${definition.name} cannot run: ${script.problem}`,
      },
    ]
  })
}

function placeOfTool({ tools, toolDefinitions = [] }: Agent, name: string) {
  const listIndex = tools.allow.findIndex((entry) => splitToolName(entry).name === name)
  return listIndex >= 0
    ? { part: "tools.allow", path: [listIndex] }
    : { part: "toolDefinitions", path: [toolDefinitions.findIndex((tool) => tool.name === name)] }
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
