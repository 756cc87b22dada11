import { messageOf } from "../../ground/errors.ts"
import { contextOf } from "../begin/gather-context.ts"
import type { Signalled } from "../ports/effect.ts"
import type { Hook } from "../ports/hook.ts"
import type { HookActions } from "../ports/hooked.ts"
import { mayBeSent } from "../rights/rights.ts"
import type { OpenCall } from "../state/open-call.ts"
import type { Drive } from "./drive-view.ts"
import { hookCommand } from "./hook-command.ts"

/** What a hook may do besides judging, because of this call. */
export const actionsOf = (drive: Drive, call: OpenCall, hook: Hook, running: Signalled): HookActions => ({
  command: (line, options) => hookCommand(drive, call, hook, line, options, running),
  skill: (name) => skillText(drive, name),
})

/** As the agent would have it if it declared that skill, and nothing else. */
async function skillText(
  { environment, definition, state }: Drive,
  name: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const { context: _, ...agent } = definition.agent
  const { cwd, moved } = state.start!
  try {
    const { gathered } = await contextOf(
      environment,
      { ...agent, skills: [name] },
      { cwd, permits: (file) => mayBeSent(state.rights, file, moved) },
    )
    return { text: gathered?.text ?? "" }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** For what must still be known after a process died whose commands were at work: none of them is run again. */
export const withoutCommands = (actions: HookActions): HookActions => ({
  ...actions,
  command: async () => ({
    problem: "it may have run before the process ended, so it is not run again",
  }),
})
