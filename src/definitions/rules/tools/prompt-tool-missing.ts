import type { KnownTool } from "../../../agent/catalogue/known-tool.ts"
import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { type Place, placeInside } from "../../formats/problem.ts"
import { at, type DiagnosticRule, type Subject, type Surroundings } from "../rule.ts"
import { shown } from "../shown.ts"
import { hostOf, isWithin, type NamedTool, namedTools, toolsOf } from "./named-tool.ts"
import { toldTools } from "./told-tools.ts"

export const promptToolMissing: DiagnosticRule = {
  code: "prompt-tool-missing",
  severity: "warning",
  title: "Instructions that order a tool which is not granted",
  why: "The model is told to use a tool that it is not offered: it makes the call up, gives up, or works around it.",
  fix: "Grant the tool, or say in the instructions how to work without it.",
  example: {
    file: ".claude/agents/researcher.md",
    text: "---\nname: researcher\ndescription: Answers questions.\ntools: Read, Grep\n---\n\nUse the WebSearch tool to find sources.\n",
  },
  check(subject, surroundings) {
    const lacks = lackingTools(subject, surroundings)
    if (!lacks) return
    const looked = new Set<string>()
    const reported = new Set<string>()
    for (const { name, start } of toldTools(subject.agent.instructions)) {
      if (looked.has(name)) continue
      if (looked.add(name).size > mostNames) break
      const missing = lacks(name)
      if (missing === undefined || reported.has(missing)) continue
      reported.add(missing)
      subject.report({
        message: `The instructions say to use \`${shown(name)}\`, but this agent is not granted ${missing === name ? "it" : `\`${shown(missing)}\``}: the model would call a tool it does not have. Add \`${shown(missing)}\` to its tools, or change the instructions.`,
        at: bodyPlace(subject, start, name.length),
      })
    }
  },
}

/** Each is compared with everything that is granted. */
const mostNames = 200

/** Tells of a name which tool is lacking. Undefined where the agent has whatever its caller has. */
function lackingTools(
  subject: Subject,
  surroundings: Surroundings,
): ((name: string) => string | undefined) | undefined {
  const { mode, allow, deny } = subject.agent.tools
  const granted = namedTools(allow, subject, surroundings)
  const denied = namedTools(deny, subject, surroundings)
  // A list of nothing is reported by itself, and what a pattern grants depends on what there is.
  const isOpen =
    mode === "list" && (!granted.some((tool) => toolsOf(tool).length > 0) || granted.some(isWide))
  if (isOpen || (mode === "inherit" && deny.length === 0)) return undefined
  const grantedTools = new Set(granted.flatMap(toolsOf))
  const deniedTools = new Set(denied.flatMap(toolsOf))
  return (name) => {
    const known = lookUpTool(name, hostOf(subject))
    if (known.type === "mcp" && name.startsWith("mcp__"))
      return mode === "list" && !granted.some((tool) => grantsServerTool(tool, name, known))
        ? name
        : undefined
    const [tool, ...also] =
      known.type === "tool"
        ? [known.name]
        : known.type === "equivalent"
          ? [known.name, ...(known.also ?? [])]
          : []
    if (tool === undefined) return undefined
    const has = (tools: ReadonlySet<string>) => tools.has(tool) || also.some((one) => tools.has(one))
    return mode === "list" ? (has(grantedTools) ? undefined : tool) : has(deniedTools) ? tool : undefined
  }
}

type McpTool = Extract<KnownTool, { type: "mcp" }>

const isWide = ({ name, known }: NamedTool): boolean => known.type === "pattern" && !name.startsWith("mcp_")

function grantsServerTool(
  { name: granted, known }: NamedTool,
  name: string,
  { server, tool }: McpTool,
): boolean {
  if (isWithin(granted, name)) return true
  return known.type === "mcp" && known.server === server && (known.tool === undefined || known.tool === tool)
}

/** Where in the instructions something stands. */
function bodyPlace(subject: Subject, start: number, length: number): Place {
  const { instructions, origin } = subject.agent
  const body = subject.source?.locate({ type: "body" })
  if (body) {
    const from = body.start + (origin.margins?.before.length ?? 0) + start
    return { type: "span", span: { start: from, end: from + length } }
  }
  const place = at(subject, "instructions")
  return place.type === "value" ? placeInside(place.path, instructions, start, length) : place
}
