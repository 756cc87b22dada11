import { messageOf } from "../errors.ts"
import type { Drive } from "./drive.ts"
import type { Signalled } from "./effect.ts"
import type { HookActions } from "./environment.ts"
import { contextOf } from "./gather-context.ts"
import { hookCommand } from "./hook-command.ts"
import { mayBeSent } from "./rights.ts"
import type { OpenCall } from "./state.ts"

/** What a hook may do besides judging, because of this call. */
export const actionsOf = (drive: Drive, call: OpenCall, hook: string, running: Signalled): HookActions => ({
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
