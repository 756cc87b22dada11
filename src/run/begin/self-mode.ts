import type { Agent } from "../../agent/agent.ts"
import type { StartProblem } from "../../ground/errors.ts"

/** The parts of a definition that only take effect at the start of a run. A run that activates the agent cannot get them. */
export const listStartParts = (agent: Agent): readonly string[] => [
  ...parts.filter((part) => agent[part] !== undefined && agent[part] !== "none"),
  ...(agent.template?.context === undefined ? [] : ["template.context"]),
]

const parts = ["pipeline", "executor", "isolation", "result", "postconditions", "hooks", "lifecycle"] as const

/** The problems that refuse every call of an agent with `mode: self`. `check` and the call both use this function. */
export const findSelfModeProblems = (agent: Agent): readonly StartProblem[] =>
  agent.mode === "self"
    ? listStartParts(agent).map((part) => ({
        code: "MODE_REFUSED",
        kind: "written",
        rule: "mode-refused",
        ...(part === "template.context" ? { part: "template", path: ["context"] } : { part }),
        message: `Agent "${agent.name}" can never be called: its \`mode\` is self, and \`${keyOf(agent, part)}\` only takes effect at the start of a run. Remove \`${keyOf(agent, part)}\`, or write \`mode: headless\`.`,
      }))
    : []

/** Files name this part `output`, code names it `result`. */
const keyOf = ({ origin }: Agent, part: string): string =>
  part === "result" && origin.file !== undefined ? "output" : part
