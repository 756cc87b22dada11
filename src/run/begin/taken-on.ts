import type { Agent } from "../../agent/agent.ts"
import type { StartProblem } from "../../ground/errors.ts"

/** Parts of a definition that a run has from its start. A run that takes the agent on later cannot get them. */
export const startParts = (agent: Agent): readonly string[] => [
  ...parts.filter((part) => agent[part] !== undefined && agent[part] !== "none"),
  ...(agent.template?.context === undefined ? [] : ["template.context"]),
]

const parts = ["pipeline", "executor", "isolation", "result", "postconditions", "hooks", "lifecycle"] as const

/** Why every call of an agent with `mode: self` is refused. `check` and the call both ask this function. */
export const selfProblems = (agent: Agent): readonly StartProblem[] =>
  agent.mode === "self"
    ? startParts(agent).map((part) => ({
        code: "MODE_REFUSED",
        kind: "written",
        rule: "mode-refused",
        ...(part === "template.context" ? { part: "template", path: ["context"] } : { part }),
        message: `Agent "${agent.name}" can never be called: its \`mode\` is self, and a run that is under way cannot take on \`${keyOf(agent, part)}\`. Take that out, or write \`mode: headless\`.`,
      }))
    : []

/** Files call it by another name than code does. */
const keyOf = ({ origin }: Agent, part: string): string =>
  part === "result" && origin.file !== undefined ? "output" : part
