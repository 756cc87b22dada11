import type { Scene } from "./scene.ts"

/**
 * Reports a danger where a whole system folder, home, workspace or repository is removed, which is hardly
 * ever meant.
 */
export function judgeRemoval(
  { findings, root, home }: Scene,
  path: string,
  what: "named" | "found" | "all in it",
): void {
  const holds = (inner: string) => inner === path || inner.startsWith(path === "/" ? "/" : `${path}/`)
  const isSystem =
    /^\/(?:[^/]+)?$/.test(path) || /^\/(?:usr|var|private|home|Users|System|Library)\/[^/]+$/.test(path)
  if (isSystem && path !== root) findings.addDangerous(`the command removes ${path}`)
  else if (holds(home)) findings.addDangerous(`the command removes the home folder ${path}`)
  else if (what !== "found" && holds(root))
    findings.addDangerous(`the command removes the working folder ${path}`)
  else if (/\/\.git$/.test(path)) findings.addDangerous(`the command removes the repository ${path}`)
}
