import { type Agent, freezeDeeply, type ToolDefinition } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError } from "../../ground/errors.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { parseTemplate, renderTemplate } from "../../language/template/index.ts"
import { AgentFileError } from "./agent-file-error.ts"
import { useFormatWords } from "./format-words.ts"
import { diagnose, type Problem } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { remora } from "./remora.ts"
import { getToolParameters } from "./remora-tools.ts"
import { resolvePath } from "./resolve-path.ts"
import { readSourceFile } from "./source.ts"

/** A Remora subagent in the shape that Remora's own loader returns. */
export interface SubagentDefinition {
  /** The name of the subagent, as its file gives it. */
  readonly name: string
  /** The absolute path of its model, or the name of a model on a server. null: the default of the server. */
  readonly model: string | null
  /** The highest number of model calls in one run. */
  readonly maxTurns: number
  /** The system prompt, and the template of the first message. */
  readonly initialContext: InitialContext
  /** The tools of the file, in its order. Empty: it has none. */
  readonly tools: readonly ToolDefinition[]
  /** The tools in the shape of OpenAI's interface. */
  readonly toolSchemas: readonly OpenAiToolSchema[]
  /** The tools of the file by name. */
  readonly toolsByName: ReadonlyMap<string, ToolDefinition>
  /** Findings that do not keep the definition from being loaded. Some of them keep its agent from running. */
  readonly warnings: readonly Diagnostic[]
  /** The definition as an agent that a runtime can run. */
  readonly agent: Agent
}

export interface InitialContext {
  readonly systemPrompt: string
  /** A Jinja2 template. */
  readonly nodeContext: string
  /** Renders the first message for a node. Values of the node are inserted as plain text, even if they look like code. */
  render(node: SubagentNode): string
}

/** The piece of source code that a subagent works on. */
export interface SubagentNode {
  readonly text: string
  readonly name: string
  readonly nodeType: string
  readonly filePath: string
}

export interface OpenAiToolSchema {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    /** Those of the definition, or else those that its script declares. Absent: the script cannot be read. */
    readonly parameters?: JsonSchema
    readonly strict: true
  }
}

/**
 * Loads a Remora subagent. A relative `file`, and the paths in it, are relative to `agentsDir`. Throws AGENT_001 with
 * all findings if there is any error. Nothing is run or rendered.
 *
 * @example
 * ```ts
 * import { loadSubagentDefinition } from "cadre/files"
 *
 * const definition = loadSubagentDefinition("docstring.yaml", { agentsDir: "agents" })
 * const node = { text: "def f(): pass", name: "f", nodeType: "function", filePath: "src/f.py" }
 * console.log(definition.initialContext.render(node))
 * ```
 */
export function loadSubagentDefinition(file: string, options: { agentsDir: string }): SubagentDefinition {
  requireKnownOptions("loadSubagentDefinition", options, { agentsDir: "known" })
  const { agent, diagnostics } = read(resolvePath(options.agentsDir, file), options)
  if (!agent || diagnostics.some(({ severity }) => severity === "error"))
    throw new AgentFileError(diagnostics, "AGENT_001")
  const tools = agent.toolDefinitions ?? []
  const { before = "", after = "" } = agent.origin.margins ?? {}
  return {
    name: agent.name,
    model: (agent.model as string | null | undefined) ?? null,
    maxTurns: agent.limits.maxTurns!,
    initialContext: initialContext(before + agent.instructions + after, agent.template!.context!),
    tools,
    toolSchemas: freezeDeeply(tools.map(schemaOf)),
    toolsByName: new Map(tools.map((tool) => [tool.name, tool])),
    warnings: diagnostics.filter(({ severity }) => severity === "warning"),
    agent,
  }
}

function read(file: string, options: { agentsDir: string }) {
  const reading = readSourceFile(file)
  if (reading.type === "refused") {
    const problems = useFormatWords(remora, [reading.problem], file)
    return { agent: undefined, diagnostics: diagnose(file, "", () => undefined, problems) }
  }
  const { source } = reading
  const { agent, problems, locate } = readAgent(remora, source, options)
  return { agent, diagnostics: diagnose(file, source.text, locate, problems.map(allowLoading)) }
}

/** An error that only keeps the agent from running does not keep it from being loaded. */
const allowLoading = (problem: Problem): Problem =>
  problem.loads ? { ...problem, severity: "warning" } : problem

function initialContext(systemPrompt: string, nodeContext: string): InitialContext {
  return {
    systemPrompt,
    nodeContext,
    render({ text, name, nodeType, filePath }) {
      const template = parseTemplate(nodeContext)
      const variables = { node_text: text, node_name: name, node_type: nodeType, file_path: filePath }
      const rendered = template.type === "template" ? renderTemplate(template, variables) : template
      if (rendered.type === "text") return rendered.text
      throw new CadreError("AGENT_001", `node_context cannot be rendered: ${rendered.problem.message}`)
    },
  }
}

function schemaOf(tool: ToolDefinition): OpenAiToolSchema {
  const { name, description } = tool
  const parameters = getToolParameters(tool)
  return {
    type: "function",
    function: { name, description, ...(parameters && { parameters }), strict: true },
  }
}
