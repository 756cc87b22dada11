import { defineTool, type Tool } from "../../agent/tool.ts"
import { findSystemProgram } from "../../ground/system-program.ts"
import { createAliasedSchema } from "./aliased.ts"
import type { GrepInput } from "./execute/grep.ts"
import { convertRefusals } from "./refusal-as-result.ts"
import type { ToolWorkspace } from "./workspace.ts"

const prompt = [
  "Search the contents of files for a regular expression, in a folder and its subfolders, or in one file. Files that .gitignore names are left out, unless path names them.",
  'output_mode "files" (default) lists the files, "content" shows the lines, "count" counts them for each file.',
  'glob limits the search to some files: "*.ts", "src/**/*.{ts,tsx}". With multiline, a match may span several lines.',
].join("\n")

const defaultLimit = 250

/**
 * Searches files for a regular expression. `program` is the path of ripgrep, or "" for none; default: ripgrep
 * in the system's folders.
 */
export function createGrepTool(
  workspace: ToolWorkspace,
  program: string = findSystemProgram("rg") ?? "",
): Tool {
  return defineTool<GrepInput>({
    name: "Grep",
    description: prompt,
    effect: "read",
    input: createAliasedSchema<GrepInput>(schema, {
      "-i": "ignore_case",
      "-n": "line_numbers",
      "-A": "after",
      "-B": "before",
      "-C": "context",
      regex: "pattern",
      include: "glob",
    }),
    accesses: ({ path = "." }, place) => [workspace.access(path, "read", place, "below")],
    execute: convertRefusals(async (input, context) => {
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
