import { describeThrown } from "../../ground/errors.ts"
import { gatherContext } from "../begin/gather-context.ts"
import type { SignalHolder } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookActions } from "../ports/hooked.ts"
import { mayBeSent } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { runHookCommand } from "./hook-command.ts"

/** The actions that a hook has besides judging, because of this call. */
export const createHookActions = (
  drive: Drive,
  call: OpenCall,
  hook: Hook,
  running: SignalHolder,
): HookActions => ({
  command: (line, options) => runHookCommand(drive, call, hook, line, options, running),
  skill: (name) => skillText(drive, name),
})

/** The text of a skill, as the agent would have it if it declared only that skill. */
async function skillText(
  { environment, definition, state }: Drive,
  name: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const { context: _, ...agent } = definition.agent
  const { cwd, moved } = state.start!
  try {
    const { gathered } = await gatherContext(
      environment,
      { ...agent, skills: [name] },
      { cwd, permits: (file) => mayBeSent(state.rights, file, moved) },
    )
    return { text: gathered!.text ?? "" }
  } catch (error) {
    return { problem: describeThrown(error) }
  }
}

/** For calls whose hook commands were running when the process died: no command is repeated. */
export const disableCommands = (actions: HookActions): HookActions => ({
  ...actions,
  command: async () => ({
    problem: "it may have run before the process ended, so it is not run again",
  }),
})
