import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import { findSelfModeProblems } from "./self-mode.ts"

/** Throws for an agent whose `mode` is not `headless`: such an agent is never started as a run of its own. */
export function requireHeadlessMode(agent: Agent): void {
  const { name, mode = "headless" } = agent
  if (mode === "headless") return
  const isSelf = mode === "self"
  throw new StartError([
    {
      code: "MODE_REFUSED",
      // `call`: the start is at fault. The file is correct, because a calling run can activate the agent.
      kind: isSelf ? "call" : "written",
      rule: "mode-refused",
      part: "mode",
      message: isSelf
        ? `Agent "${name}" was not started: its \`mode\` is self, so it runs only when another agent calls it with the tool \`Agent\`. Start that agent, or write \`mode: headless\` in the definition of "${name}".`
        : `Agent "${name}" cannot start: cadre does not support \`mode: ${mode}\`. Write \`mode: headless\`, or \`mode: self\` for an agent that only other runs call.`,
    },
    ...findSelfModeProblems(agent),
  ])
}
