import { type Agent, deepFreeze, type ToolDefinition } from "../../agent/agent.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import { CadreError } from "../../ground/errors.ts"
import { requireKnownOptions } from "../../ground/options.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"
import { parseTemplate, renderTemplate } from "../../language/template/index.ts"
import { AgentFileError } from "./agent-file-error.ts"
import { inItsWords } from "./in-its-words.ts"
import { diagnose, type Problem } from "./problem.ts"
import { readAgent } from "./read-agent.ts"
import { remora } from "./remora.ts"
import { resolvePath } from "./resolve-path.ts"
import { readSourceFile } from "./source.ts"

/** A Remora subagent as its own loader gives it. */
export interface SubagentDefinition {
  readonly name: string
  /** The absolute path of its model, or the model's name on a server. null: the server's own. */
  readonly model: string | null
  readonly maxTurns: number
  readonly initialContext: InitialContext
  readonly tools: readonly ToolDefinition[]
  /** The tools as models with an OpenAI interface are told about them. */
  readonly toolSchemas: readonly ToolSchema[]
  readonly toolsByName: ReadonlyMap<string, ToolDefinition>
  readonly warnings: readonly Diagnostic[]
  /** The same definition as the runtime takes it. */
  readonly agent: Agent
}

export interface InitialContext {
  readonly systemPrompt: string
  /** A Jinja2 template. */
  readonly nodeContext: string
  /** The first message for a node. What is filled in is plain text, whatever it looks like. */
  render(node: SubagentNode): string
}

/** The piece of source code that a subagent works on. */
export interface SubagentNode {
  readonly text: string
  readonly name: string
  readonly nodeType: string
  readonly filePath: string
}

export interface ToolSchema {
  readonly type: "function"
  readonly function: {
    readonly name: string
    readonly description: string
    /** Absent where it is to be derived from the script. */
    readonly parameters?: JsonSchema
    readonly strict: true
  }
}

/**
 * Loads a Remora subagent. A relative `file`, and the paths in it, are relative to `agentsDir`. Throws AGENT_001 with
 * every finding when anything in it is wrong. Nothing is run or rendered.
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
    toolSchemas: deepFreeze(tools.map(schemaOf)),
    toolsByName: new Map(tools.map((tool) => [tool.name, tool])),
    warnings: diagnostics.filter(({ severity }) => severity === "warning"),
    agent,
  }
}

function read(file: string, options: { agentsDir: string }) {
  const reading = readSourceFile(file)
  if (reading.type === "refused") {
    const problems = inItsWords(remora, [reading.problem], file)
    return { agent: undefined, diagnostics: diagnose(file, "", () => undefined, problems) }
  }
  const { source } = reading
  const { agent, problems, locate } = readAgent(remora, source, options)
  return { agent, diagnostics: diagnose(file, source.text, locate, problems.map(asLoaded)) }
}

/** What only keeps it from running is no reason not to load it. */
const asLoaded = (problem: Problem): Problem =>
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

const schemaOf = ({ name, description, parameters }: ToolDefinition): ToolSchema => ({
  type: "function",
  function: { name, description, ...(parameters && { parameters }), strict: true },
})
