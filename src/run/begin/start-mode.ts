import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import { selfProblems } from "./taken-on.ts"

/** An agent that is meant for another place is not started in this one instead. */
export function requireMode(agent: Agent): void {
  const { name, mode = "headless" } = agent
  if (mode === "headless") return
  const isSelf = mode === "self"
  throw new StartError([
    {
      code: "MODE_REFUSED",
      // A run that calls it takes it on: that it cannot be started by itself is no fault of the file.
      kind: isSelf ? "call" : "written",
      rule: "mode-refused",
      part: "mode",
      message: isSelf
        ? `Agent "${name}" was not started: its \`mode\` is self, so it is taken on by the run that calls it with the tool Agent, and is no run of its own. Start an agent that calls it, or write \`mode: headless\`.`
        : `Agent "${name}" cannot start: cadre does not support \`mode: ${mode}\`. Write \`mode: headless\`, or \`mode: self\` for an agent that only other runs call.`,
    },
    ...selfProblems(agent),
  ])
}
