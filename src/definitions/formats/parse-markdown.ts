import { type Agent, freezeDeeply } from "../../agent/agent.ts"
import { AgentFileError } from "./agent-file-error.ts"
import { diagnose } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { readSourceFile } from "./source.ts"
import { subagentSpec } from "./subagent-spec.ts"

/**
 * Reads a subagent spec from a markdown file. Throws one AgentFileError with all findings.
 *
 * @example
 * ```ts
 * import { parseMarkdownFile } from "cadre/files"
 *
 * const agent = parseMarkdownFile("agents/reviewer.md")
 * console.log(agent.name, agent.description)
 * ```
 */
export function parseMarkdownFile(file: string): Agent {
  const reading = readSourceFile(file)
  if (reading.type === "source") return parse(reading.source.text, "spec.md", file, reading.source.hash)
  const { message, ...problem } = reading.problem
  throw new AgentFileError(
    diagnose(file, "", () => undefined, [
      { ...problem, message: `Failed to read agent definition file: ${file}. ${message}` },
    ]),
  )
}

/**
 * Reads a subagent spec: YAML front matter, and the system prompt below it. `file` is the file named in
 * messages.
 *
 * @example
 * ```ts
 * import { parseMarkdown } from "cadre/files"
 *
 * const text = "---\nname: reviewer\ndescription: Reviews a change.\n---\nName each finding."
 * const agent = parseMarkdown(text, "reviewer.md")
 * console.log(agent.instructions)
 * ```
 */
export const parseMarkdown = (text: string, file?: string): Agent => parse(text, "spec.md", file)

/**
 * Reads a subagent spec whose system prompt is `systemPrompt`, `prompt` or `system`.
 *
 * @example
 * ```ts
 * import { parseJson } from "cadre/files"
 *
 * const spec = { name: "reviewer", description: "Reviews a change.", systemPrompt: "Name each finding." }
 * const agent = parseJson(JSON.stringify(spec))
 * console.log(agent.instructions)
 * ```
 */
export const parseJson = (text: string, file?: string): Agent => parse(text, "spec.json", file)

function parse(text: string, syntax: "spec.md" | "spec.json", file?: string, hash?: string): Agent {
  const { agent, problems, locate } = readAgent(subagentSpec, { path: syntax, text })
  if (!agent || problems.some(({ severity }) => severity === "error"))
    throw new AgentFileError(diagnose(file, text, locate, problems))
  const { file: _, ...origin } = agent.origin
  return freezeDeeply({
    ...agent,
    origin: { ...origin, ...(file !== undefined && { file }), ...(hash !== undefined && { hash }) },
  })
}
