import { type CliCommand, defineCommand } from "../../src/faces/cli/command.ts"

/** Commands with everything that a completion can offer. */
export const commands: readonly CliCommand[] = [
  defineCommand({
    name: "check",
    summary: "Check definitions: all of them",
    arguments: [{ name: "file", doc: "What to check", count: "any", complete: "file" }],
    options: {
      format: {
        type: "value",
        value: "FORMAT",
        short: "f",
        doc: "How it's shown",
        choices: ["text", "json"],
      },
      only: { type: "value", value: "AGENT", doc: "Only [this] one", complete: "agent", repeatable: true },
      fix: { type: "flag", doc: "Mend it" },
      secret: { type: "flag", doc: "Hidden", hidden: true },
    },
    examples: [],
    run: async () => 0,
  }),
  defineCommand({
    name: "convert",
    summary: "Convert a definition",
    arguments: [
      { name: "agent", doc: "Which one", complete: "agent" },
      { name: "to", doc: "The format", choices: ["claude", "codex"] },
      { name: "note", doc: "Any text", count: "optional" },
    ],
    options: {},
    examples: [],
    run: async () => 0,
  }),
]
