import type { Agent } from "../../agent/agent.ts"
import { begin } from "../begin/begin.ts"
import { continuing, endedRun } from "../begin/continuing.ts"
import { Owners } from "../drive/owners.ts"
import { succeed } from "../drive/succession.ts"
import { preview } from "../explain/preview.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Environment } from "../ports/environment.ts"
import type { RunState } from "../state/state.ts"

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
