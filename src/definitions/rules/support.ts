import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { claude } from "../formats/claude.ts"
import type { Place, Problem } from "../formats/problem.ts"
import { checkAgents } from "./check.ts"
import type { Levels } from "./levels.ts"
import type { Surroundings } from "./rule.ts"

/** For tests: agents in short, and what is around them. The first one is looked at. */
export interface Case extends Partial<AgentInput> {
  readonly around?: Partial<Omit<Surroundings, "agents">> & {
    readonly agents?: readonly Partial<AgentInput>[]
  }
  readonly levels?: Levels
}

/** What every rule together finds in an agent of Claude Code, one line each. */
export function linesOf({
  around: { agents = [], ...around } = {},
  levels,
  ...input
}: Case): readonly string[] {
  return checkInputs([input, ...agents], around, levels)[0]!.map(lineOf)
}

/** What every rule together finds in agents of Claude Code. */
export function checkInputs(
  inputs: readonly Partial<AgentInput>[],
  around: Partial<Omit<Surroundings, "agents">> = {},
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

/** `error tool-unknown at tools "Raed": …` */
export function lineOf({ severity, code, at, message }: Problem): string {
  return `${severity} ${code} at ${placeOf(at)}: ${message}`
}

function placeOf(place: Place): string {
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
