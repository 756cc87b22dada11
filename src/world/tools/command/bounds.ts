import { realpathSync } from "node:fs"
import type { ForbiddenPath, ToolContext } from "../../../agent/tool.ts"
import { resolveRealPath, withoutLinks } from "../../../ground/paths/without-links.ts"
import type { SandboxBounds } from "../../sandbox/sandbox-arguments.ts"
import { findDeniedPaths } from "./denied-paths.ts"
import { listGuardedPlaces } from "./guarded-places.ts"

/** The paths that a command has besides its folder, and those of its folder that it does not have. */
interface Reach {
  readonly protect?: readonly string[]
  readonly writable?: readonly string[]
  readonly visible?: readonly string[]
  readonly hidden?: readonly string[]
}

/** The bounds of a command's sandbox, or the reason why the sandbox cannot hold the command to the rules. */
export function computeCommandBounds(
  { protect = [], writable = [], visible = [], hidden = [] }: Reach,
  { cwd, moved }: Pick<ToolContext, "cwd" | "moved">,
  {
    forbidden = [],
    ...place
  }: Pick<SandboxBounds, "root" | "home" | "network"> & {
    readonly forbidden?: readonly ForbiddenPath[] | undefined
  },
): SandboxBounds | { readonly problem: string } {
  const root = realpathSync(place.root)
  const home = withoutLinks(place.home)
  const heldPaths = findDeniedPaths({ root, home }, forbidden, moved)
  if ("problem" in heldPaths) return heldPaths
  return {
    ...place,
    protected: listGuardedPlaces({
      root,
      cwd: resolveRealPath(cwd) ?? root,
      home,
      more: [...protect, ...heldPaths.fixed],
    }),
    concealed: heldPaths.concealed,
    writable,
    visible,
    hidden,
  }
}
