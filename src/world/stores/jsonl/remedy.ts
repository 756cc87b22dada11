/** What to do about a damaged log, of which this is left: the name of its owner, no such name, or no first event. */
export function remedy(root: string, left: "named" | "unnamed" | "start-lost" = "named"): string {
  if (left === "start-lost") return `It cannot be resumed; \`cadre log ${root}\` shows what is left of it.`
  return `\`cadre resume ${root} --repair${left === "unnamed" ? " --force" : ""}\` mends what can be mended and keeps the log as it is now beside it; \`cadre log ${root}\` shows what can be read.`
}
