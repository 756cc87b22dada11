import os from "node:os"
import type { PermissionRule, RuleDecision } from "../agent/agent.ts"
import { getModeRules, type PermissionMode } from "../definitions/authority/mode.ts"
import type { Configuration } from "../definitions/configuration/configuration.ts"
import { isInside } from "../ground/paths/inside.ts"
import type { RuntimeParts } from "../run/face/runtime.ts"
import { anchorPattern } from "../run/rights/pattern.ts"
import type { HostMachine } from "./configured-models.ts"

/**
 * Turns the lists of a configuration into rules. A relative path means the folder of each run. In an `ask` or `deny` rule
 * it also means each anchor, so that `src/x` covers the same file for runs in other folders.
 */
export const readPermissionRules = (
  permissions: Configuration["permissions"] | undefined,
  anchors: readonly Anchor[],
): readonly PermissionRule[] =>
  (["allow", "ask", "deny"] as const).flatMap((decision) =>
    (permissions?.[decision] ?? [])
      .flatMap((tool) =>
        decision === "allow"
          ? [tool]
          : [...new Set([tool, ...anchors.map((anchor) => anchorPattern(tool, anchor))])],
      )
      .map((tool) => ({ tool, decision })),
  )

type Anchor = Parameters<typeof anchorPattern>[1]

/** The sources of the rules, and the folder that they are for. */
interface Permitting {
  readonly configuration?: Partial<Pick<Configuration, "own" | "mode">>
  readonly mode?: { readonly type: PermissionMode; readonly root: string }
  readonly around?: HostMachine
  readonly rules?: readonly PermissionRule[]
  readonly otherwise?: RuleDecision
}

/** The folders that relative paths of rules mean: the folder that tools work in, and the project that contains it. */
export function listAnchors({ mode, around }: Pick<Permitting, "mode" | "around">): readonly Anchor[] {
  if (!mode) return []
  const { home, workspace }: Pick<HostMachine, "home" | "workspace"> = around ?? {
    home: os.homedir(),
    workspace: mode.root,
  }
  return [mode.root, ...(isInside(workspace, mode.root) ? [workspace] : [])].map((cwd) => ({ cwd, home }))
}

/** The user's own rules, if a project has added others. If the project chose the mode, the user's mode counts here. */
export function getOwnRules(options: Permitting): Pick<RuntimeParts, "ownRules"> {
  const { configuration, mode, rules = [], otherwise } = options
  const own = configuration?.own
  if (!own) return {}
  const isProjectMode = mode?.type === configuration.mode && mode?.type !== own.mode
  const modeRules = mode && getModeRules(isProjectMode ? own.mode : mode.type, mode.root)
  const decision = otherwise ?? modeRules?.otherwise
  return {
    ownRules: {
      rules: [
        ...rules,
        ...readPermissionRules(own.permissions, listAnchors(options)),
        ...(modeRules?.rules ?? []),
      ],
      ...(decision && { otherwise: decision }),
    },
  }
}
