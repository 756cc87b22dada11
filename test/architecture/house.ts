/**
 * The floors of src, from the lowest to the highest, each with its rooms in the same order: a file imports from its own
 * room and from those that stand before it. `.` is for the files that lie directly in a floor.
 */
export interface House {
  readonly floors: readonly (readonly [name: string, rooms: readonly string[]])[]
}

export const house: House = {
  floors: [
    ["ground", ["diagnostics", ".", "patterns", "schema", "paths", "changes"]],
    ["language", ["expression", "template", "script"]],
    ["agent", [".", "attachments", "catalogue", "routing"]],
    [
      "run",
      ["log", "state", "ports", "words", "rights", "decide", "begin", "effects", "drive", "explain", "face"],
    ],
    [
      "definitions",
      [
        "pipelines",
        "formats",
        "configuration",
        "servers",
        "scripts",
        "lifecycle",
        "skills",
        "workflow",
        "rules",
        "registry",
        "context",
        "gates",
        "authority",
      ],
    ],
    [
      "world",
      [
        "models",
        "shell",
        "stores",
        "sandbox",
        "tools",
        "cache",
        "executors",
        "mcp",
        "planners",
        "postconditions",
        "scripts",
        "worktree",
        "nodes",
        "undo",
      ],
    ],
    ["assembly", [".", "project", "embed"]],
    ["index.ts", []],
    ["files.ts", []],
    ["store.ts", []],
    ["hooks.ts", []],
    ["pipeline.ts", []],
    ["planner.ts", []],
    ["nodes.ts", []],
    ["faces", ["hosts", "testing", "mcp-server", "cli"]],
  ],
}
