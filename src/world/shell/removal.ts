import type { Scene } from "./scene.ts"

/** Asks about the removal of what nobody means to remove: the whole of a system, a home, a workspace or a repository. */
export function judgeRemoval(
  { found, root, home }: Scene,
  path: string,
  what: "named" | "found" | "all in it",
): void {
  const holds = (inner: string) => inner === path || inner.startsWith(path === "/" ? "/" : `${path}/`)
  const isSystem =
    /^\/(?:[^/]+)?$/.test(path) || /^\/(?:usr|var|private|home|Users|System|Library)\/[^/]+$/.test(path)
  if (isSystem && path !== root) found.dangerous(`it removes ${path}`)
  else if (holds(home)) found.dangerous(`it removes the home folder ${path}`)
  else if (what !== "found" && holds(root))
    found.dangerous(`it removes the folder that is worked in, ${path}`)
  else if (/\/\.git$/.test(path)) found.dangerous(`it removes the repository ${path}`)
}
