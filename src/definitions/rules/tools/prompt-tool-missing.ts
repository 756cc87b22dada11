import type { KnownTool } from "../../../agent/catalogue/known-tool.ts"
import { lookUpTool } from "../../../agent/catalogue/look-up.ts"
import { type ProblemPlace, placeInside } from "../../formats/problem.ts"
import { type DiagnosticRule, locatePart, type RuleFacts, type Subject } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { findInstructedTools } from "./instructed-tools.ts"
import {
  getToolHost,
  listEntryTools,
  matchesTool,
  readToolEntries,
  type ToolListEntry,
} from "./named-tool.ts"

export const promptToolMissing: DiagnosticRule = {
  code: "prompt-tool-missing",
  severity: "warning",
  title: "Instructions that name a tool which is not granted",
  why: "The model is told to use a tool that it is not offered. It invents the call, gives up, or works around it.",
  fix: "Grant the tool, or say in the instructions how to work without it.",
  example: {
    file: ".claude/agents/researcher.md",
    text: "---\nname: researcher\ndescription: Answers questions.\ntools: Read, Grep\n---\n\nUse the WebSearch tool to find sources.\n",
  },
  check(subject, surroundings) {
    const lacks = lackingTools(subject, surroundings)
    if (!lacks) return
    const seen = new Set<string>()
    const reportedTools = new Set<string>()
    for (const { name, start } of findInstructedTools(subject.agent.instructions)) {
      if (seen.has(name)) continue
      if (seen.add(name).size > mostNames) break
      const missing = lacks(name)
      if (missing === undefined || reportedTools.has(missing)) continue
      reportedTools.add(missing)
      subject.report({
        message: `The instructions say to use \`${shorten(name)}\`, but this agent is not granted ${missing === name ? "it" : `\`${shorten(missing)}\``}, so the model would call a tool that it does not have. Add \`${shorten(missing)}\` to its tools, or change the instructions.`,
        at: bodyPlace(subject, start, name.length),
      })
    }
  },
}

/** The most names that are checked, because each is compared with every granted tool. */
const mostNames = 200

/** Returns a function that maps a name to the missing tool. Undefined if its tools are not known here. */
function lackingTools(
  subject: Subject,
  surroundings: RuleFacts,
): ((name: string) => string | undefined) | undefined {
  const { mode, allow, deny } = subject.agent.tools
  const granted = readToolEntries(allow, subject, surroundings)
  const denied = readToolEntries(deny, subject, surroundings)
  // A list without any tool is reported by another rule, and the tools of a wide pattern are not known here.
  const isOpen =
    mode === "list" && (!granted.some((tool) => listEntryTools(tool).length > 0) || granted.some(isWide))
  if (isOpen || (mode === "inherit" && deny.length === 0)) return undefined
  const grantedTools = new Set(granted.flatMap(listEntryTools))
  const deniedTools = new Set(denied.flatMap(listEntryTools))
  return (name) => {
    const knownTool = lookUpTool(name, getToolHost(subject))
    if (knownTool.type === "mcp" && name.startsWith("mcp__"))
      return mode === "list" && !granted.some((tool) => grantsServerTool(tool, name, knownTool))
        ? name
        : undefined
    const [tool, ...also] =
      knownTool.type === "tool"
        ? [knownTool.name]
        : knownTool.type === "equivalent"
          ? [knownTool.name, ...(knownTool.also ?? [])]
          : []
    if (tool === undefined) return undefined
    const has = (tools: ReadonlySet<string>) => tools.has(tool) || also.some((one) => tools.has(one))
    return mode === "list" ? (has(grantedTools) ? undefined : tool) : has(deniedTools) ? tool : undefined
  }
}

type McpTool = Extract<KnownTool, { type: "mcp" }>

const isWide = ({ name, match }: ToolListEntry): boolean =>
  match.type === "pattern" && !name.startsWith("mcp_")

function grantsServerTool(
  { name: granted, match }: ToolListEntry,
  name: string,
  { server, tool }: McpTool,
): boolean {
  if (matchesTool(granted, name)) return true
  return match.type === "mcp" && match.server === server && (match.tool === undefined || match.tool === tool)
}

/** The place of a text in the instructions. */
function bodyPlace(subject: Subject, start: number, length: number): ProblemPlace {
  const { instructions, origin } = subject.agent
  const body = subject.source?.locate({ type: "body" })
  if (body) {
    const from = body.start + (origin.margins?.before.length ?? 0) + start
    return { type: "span", span: { start: from, end: from + length } }
  }
  const place = locatePart(subject, "instructions")
  return place.type === "value" ? placeInside(place.path, instructions, start, length) : place
}
