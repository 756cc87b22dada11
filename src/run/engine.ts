import type { Agent } from "../agent/agent.ts"
import { begin } from "./begin.ts"
import type { Beginning } from "./beginning.ts"
import { continuing, endedRun } from "./continuing.ts"
import type { Environment } from "./environment.ts"
import { Owners } from "./owners.ts"
import { preview } from "./preview.ts"
import type { RunState } from "./state.ts"
import { succeed } from "./succession.ts"

/** What begins and drives runs. It is most of the code there is for them, and loads with the first. */
export type Engine = ReturnType<typeof openEngine>

export const openEngine = (environment: Environment) => ({
  owners: new Owners(environment),
  begin: (beginning: Beginning) => begin(environment, beginning),
  preview: (beginning: Beginning) => preview(environment, beginning),
  endedRun: (run: string) => endedRun(environment.store, run),
  continuing: (state: RunState, agent: Agent) => continuing(environment, state, agent),
  succeed: (state: RunState) => succeed(environment, state),
})
