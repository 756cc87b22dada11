/**
 * Advice for a damaged log. `unnamed`: the log has lost the name of its owner. `start-lost`: it has lost its first
 * event.
 */
export function describeRemedy(root: string, state: "named" | "unnamed" | "start-lost" = "named"): string {
  if (state === "start-lost")
    return `The run cannot be resumed. \`cadre log ${root}\` shows the readable events.`
  return `\`cadre resume ${root} --repair${state === "unnamed" ? " --force" : ""}\` repairs it and keeps a copy of the damaged log. \`cadre log ${root}\` shows the readable events.`
}
