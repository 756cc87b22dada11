import { realpathSync } from "node:fs"
import type { Forbidden, ToolContext } from "../../../agent/tool.ts"
import { realPath, withoutLinks } from "../../../ground/paths/without-links.ts"
import type { Bounds } from "../../sandbox/sandbox-arguments.ts"
import { guardedPlaces } from "./guarded-places.ts"
import { heldPlaces } from "./held-places.ts"

/** Which paths a command has besides its folder, and which of its folder it has not. */
interface Reach {
  readonly protect?: readonly string[]
  readonly writable?: readonly string[]
  readonly visible?: readonly string[]
  readonly hidden?: readonly string[]
}

/** What the sandbox of a command is to be like; or why it cannot hold the command to the rules. */
export function commandBounds(
  { protect = [], writable = [], visible = [], hidden = [] }: Reach,
  { cwd, moved }: Pick<ToolContext, "cwd" | "moved">,
  {
    forbidden = [],
    ...place
  }: Pick<Bounds, "root" | "home" | "network"> & { readonly forbidden?: readonly Forbidden[] | undefined },
): Bounds | { readonly problem: string } {
  const root = realpathSync(place.root)
  const home = withoutLinks(place.home)
  const held = heldPlaces({ root, home }, forbidden, moved)
  if ("problem" in held) return held
  return {
    ...place,
    protected: guardedPlaces({
      root,
      cwd: realPath(cwd) ?? root,
      home,
      more: [...protect, ...held.fixed],
    }),
    concealed: held.concealed,
    writable,
    visible,
    hidden,
  }
}
