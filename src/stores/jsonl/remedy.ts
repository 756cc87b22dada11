/** What to do about a damaged log. */
export const remedy = (root: string, owner: "named" | "lost" = "named"): string =>
  `\`cadre resume ${root} --repair${owner === "lost" ? " --force" : ""}\` mends what can be mended and keeps the log as it is now beside it; \`cadre log ${root}\` shows what can be read.`
