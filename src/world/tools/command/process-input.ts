import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import type { CommandConfinement } from "../../../agent/confinement.ts"
import type { ToolContext } from "../../../agent/tool.ts"
import { isBelow } from "../../../ground/paths/inside.ts"
import { buildChildEnvironment } from "../../sandbox/child-environment.ts"
import type { ProcessInput, ProcessLimits } from "../../sandbox/process.ts"
import { computeCommandBounds } from "./bounds.ts"
import { listDefinitionsBelow } from "./definitions-below.ts"
import { listSharedDefinitions } from "./shared-definitions.ts"

interface ProcessOptions {
  protect?: readonly string[]
  definitions?: (cwd: string) => readonly string[]
  writable?: readonly string[]
  visible?: readonly string[]
  hidden?: readonly string[]
  grants?: readonly string[]
  environment?: Readonly<Record<string, string | undefined>>
  home?: string
  limits?: Partial<ProcessLimits>
}

interface ProcessPlace {
  readonly root: string
  /** The folder that the process starts in. */
  readonly cwd: string
  readonly confinement: CommandConfinement
  /** True if there is a sandbox. Then rules that deny paths hold inside of it, too. */
  readonly isBoxed: boolean
}

/** Everything that a process of a run is started with, except its words and its time. */
export function processInput(
  options: ProcessOptions,
  context: ToolContext,
  { root, cwd, confinement, isBoxed }: ProcessPlace,
): Omit<ProcessInput, "timeout"> | { readonly problem: string } {
  const { environment = process.env, grants = [], home = homedir() } = options
  const forbidden = isBoxed ? context.forbidden?.() : undefined
  const listDefinitions = () => options.definitions?.(context.cwd) ?? listSharedDefinitions(root, context.cwd)
  const protect = [
    ...(options.protect ?? []),
    ...listDefinitions().filter((file) => isBelow(realpathSync(root), file)),
  ]
  const { sandbox, network } = confinement
  const bounds = computeCommandBounds({ ...options, protect }, context, { root, home, network, forbidden })
  if ("problem" in bounds) return bounds
  return {
    cwd,
    environment: {
      ...buildChildEnvironment(environment, {
        root,
        apart: (context.moved ?? []).map(({ from }) => from),
        grants,
        marker: context.key,
        depth: context.depth,
      }),
      HOME: home,
      // The folder in which hooks that were written for Claude Code find their scripts.
      ...(context.handed && { CLAUDE_PROJECT_DIR: context.moved?.at(-1)?.to ?? root }),
      ...context.handed?.environment,
    },
    ...(context.handed && { input: context.handed.input }),
    bounds,
    definitions: async () => [...(await listDefinitionsBelow(root)), ...listDefinitions()],
    sandbox,
    signal: context.signal,
    ...(options.limits && { limits: options.limits }),
  }
}
