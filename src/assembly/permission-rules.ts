import os from "node:os"
import type { Decision, Rule } from "../agent/agent.ts"
import { type Mode, rulesOfMode } from "../definitions/authority/mode.ts"
import type { Configuration } from "../definitions/configuration/configuration.ts"
import { isInside } from "../ground/paths/inside.ts"
import type { RuntimeParts } from "../run/face/runtime.ts"
import { anchorPattern } from "../run/rights/pattern.ts"
import type { Around } from "./configured-models.ts"

/** The rules of permissions. What forbids or asks holds from the anchors, too, whichever folder below them is worked in. */
export const permissionRules = (
  permissions: Configuration["permissions"] | undefined,
  anchors: readonly Anchor[],
): readonly Rule[] =>
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

/** Who says what may be done, and where. */
interface Permitting {
  readonly configuration?: Partial<Pick<Configuration, "own" | "mode">>
  readonly mode?: { readonly type: Mode; readonly root: string }
  readonly around?: Around
  readonly rules?: readonly Rule[]
  readonly otherwise?: Decision
}

/** The folder that tools work in, and the project that it is a part of, for which the rules were written. */
export function anchorsOf({ mode, around }: Pick<Permitting, "mode" | "around">): readonly Anchor[] {
  if (!mode) return []
  const { home, workspace }: Pick<Around, "home" | "workspace"> = around ?? {
    home: os.homedir(),
    workspace: mode.root,
  }
  return [mode.root, ...(isInside(workspace, mode.root) ? [workspace] : [])].map((cwd) => ({ cwd, home }))
}

/** The rules that the person gave, where a project has added others. A mode that a project chose is not the person's. */
export function ownRulesOf(options: Permitting): Pick<RuntimeParts, "ownRules"> {
  const { configuration, mode, rules = [], otherwise } = options
  const own = configuration?.own
  if (!own) return {}
  const isProjects = mode?.type === configuration.mode && mode?.type !== own.mode
  const asked = mode && rulesOfMode(isProjects ? own.mode : mode.type, mode.root)
  const decision = otherwise ?? asked?.otherwise
  return {
    ownRules: {
      rules: [...rules, ...permissionRules(own.permissions, anchorsOf(options)), ...(asked?.rules ?? [])],
      ...(decision && { otherwise: decision }),
    },
  }
}
