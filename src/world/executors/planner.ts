import type { Executors } from "../../agent/executor.ts"
import type { Planner } from "../../run/ports/planner.ts"

/** Drives runs whose agent has an executor. Its code is loaded when there is such a run. */
export const createExecutorPlanner = (executors: Executors): Planner => ({
  async begin(agent, _task, _agents, call) {
    const { checkExecutor } = await import("./check.ts")
    const { warnings, taken, handed } = checkExecutor(executors, agent, call)
    return { warnings, taken, programTools: handed.tools ?? ["*"] }
  },
  async plan(definition, state) {
    const { planProgram } = await import("./plan-program.ts")
    return planProgram(executors, definition, state)
  },
  async outdated(definition, state, input) {
    const { explainOutdatedCall } = await import("./plan-program.ts")
    return explainOutdatedCall(executors, definition, state, input)
  },
})
