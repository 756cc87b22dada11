import { defineTool, type Tool } from "../../agent/tool.ts"
import { aliased } from "./aliased.ts"
import type { GrepInput } from "./execute/grep.ts"
import { fixedProgram } from "./fixed-program.ts"
import { worded } from "./worded.ts"
import type { Workspace } from "./workspace.ts"

const prompt = [
  "Search the contents of files for a regular expression, in a folder and all below it, or in one file. What .gitignore names is left out, unless path names it.",
  'output_mode "files" (default) lists the files, "content" shows the lines, "count" counts them for each file.',
  'glob keeps to some files: "*.ts", "src/**/*.{ts,tsx}". With multiline, a match may go over several lines.',
].join("\n")

const defaultLimit = 250

/** Searches files for a regular expression. `program` is ripgrep, "" for none; default: where systems put it. */
export function grepTool(workspace: Workspace, program: string = fixedProgram("rg") ?? ""): Tool {
  return defineTool<GrepInput>({
    name: "Grep",
    description: prompt,
    effect: "read",
    input: aliased<GrepInput>(schema, {
      "-i": "ignore_case",
      "-n": "line_numbers",
      "-A": "after",
      "-B": "before",
      "-C": "context",
      regex: "pattern",
      include: "glob",
    }),
    accesses: ({ path = "." }, place) => [workspace.access(path, "read", place, "below")],
    execute: worded(async (input, context) => {
      const { searchFiles } = await import("./execute/grep.ts")
      const bounded = { ...input, head_limit: input.head_limit ?? defaultLimit }
      return searchFiles(workspace, program, bounded, context)
    }),
  })
}

const count = (description: string) => ({ type: "integer", minimum: 0, description }) as const

const schema = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, maxLength: 10_000, description: "The regular expression." },
    path: { type: "string", description: "A folder or file; default: the working directory." },
    glob: { type: "string", description: "Only files whose path matches this." },
    output_mode: { type: "string", enum: ["content", "files", "count"] },
    ignore_case: { type: "boolean" },
    line_numbers: { type: "boolean", description: "With content; default true." },
    before: count("Lines to show before each match."),
    after: count("Lines to show after each match."),
    context: count("Lines to show before and after each match."),
    multiline: { type: "boolean" },
    head_limit: {
      type: "integer",
      minimum: 1,
      description: `Lines or files to show; default ${defaultLimit}.`,
    },
  },
  required: ["pattern"],
  additionalProperties: false,
} as const
