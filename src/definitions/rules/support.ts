import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { claude } from "../formats/claude.ts"
import type { Problem, ProblemPlace } from "../formats/problem.ts"
import { checkAgents } from "./check.ts"
import type { Levels } from "./levels.ts"
import type { RuleFacts } from "./rule.ts"

/** A short form for tests: an agent to check, and the agents and facts around it. */
export interface Case extends Partial<AgentInput> {
  readonly around?: Partial<Omit<RuleFacts, "agents">> & {
    readonly agents?: readonly Partial<AgentInput>[]
  }
  readonly levels?: Levels
}

/** Checks an agent of Claude Code with every rule. Returns one line for each finding, without its wording. */
export const writeBriefLines = (checked: Case): readonly string[] => checkCase(checked).map(writeBriefLine)

/** Checks an agent of Claude Code with every rule. Returns each finding with its whole message. */
export const writeWholeLines = (checked: Case): readonly string[] =>
  checkCase(checked).map((problem) => `${headOf(problem)}: ${problem.message}`)

const checkCase = ({ around: { agents = [], ...around } = {}, levels, ...input }: Case): readonly Problem[] =>
  checkInputs([input, ...agents], around, levels)[0]!

/** Checks agents of Claude Code with every rule. */
export function checkInputs(
  inputs: readonly Partial<AgentInput>[],
  around: Partial<Omit<RuleFacts, "agents">> = {},
  levels?: Levels,
): readonly (readonly Problem[])[] {
  const agents = inputs.map((one, index) => ({
    ...defineAgent({ name: `agent-${index + 1}`, instructions: "Do it.", ...one }),
    origin: { format: "claude" },
  }))
  return checkAgents(
    agents.map((agent) => ({ agent, format: claude })),
    {
      tools: new Set(),
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      ...around,
    },
    levels,
  )
}

/** The names and numbers of a finding without its wording: ``error tool-unknown at tools "Raed": `Raed` `Read` ``. */
export const writeBriefLine = (problem: Problem): string =>
  `${headOf(problem)}: ${(problem.message.match(/`[^`]+`|\b\d+\b/g) ?? []).join(" ")}`

const headOf = ({ severity, code, at }: Problem): string => `${severity} ${code} at ${placeOf(at)}`

function placeOf(place: ProblemPlace): string {
  switch (place.type) {
    case "key":
    case "value":
      return place.path.join(".")
    case "inside":
      return `${place.path.join(".")} ${JSON.stringify(place.text)}${place.occurrence > 0 ? ` (${place.occurrence + 1})` : ""}`
    case "span":
      return `${place.span.start}-${place.span.end}`
    default:
      return place.type
  }
}
