import { executorProblem, executorToolName, isExecutorName } from "../../agent/executor.ts"
import { defineTool, type Tool } from "../../agent/tool.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ExecutorInput } from "./input.ts"
import type { ExecutorToolOptions } from "./tool-options.ts"

const words = { type: "array", items: { type: "string" } } as const

/**
 * What runs the programs that agents have for an engine, where there are any. No model is offered it. Throws
 * EXECUTOR_INVALID with every problem at once.
 */
export function executorTools(options: ExecutorToolOptions): readonly Tool[] {
  const executors = Object.entries(options.executors)
  const problems = executors.flatMap(([name, settings]) => {
    const problem = isExecutorName(name) ? executorProblem(settings) : "is no name for an executor"
    return problem === undefined ? [] : [`the executor ${JSON.stringify(name)} ${problem}`]
  })
  if (problems.length > 0)
    throw new CadreError("EXECUTOR_INVALID", `The configuration is wrong: ${problems.join("; ")}.`)
  return executors.length === 0 ? [] : [executorTool(options)]
}

const executorTool = (options: ExecutorToolOptions): Tool =>
  defineTool<ExecutorInput>({
    name: executorToolName,
    description: "Runs the program that an agent has for an engine.",
    input: {
      type: "object",
      properties: {
        executor: { type: "string" },
        command: words,
        wants: { enum: ["text", "value"] },
        model: { type: "string" },
        effort: { type: "string" },
        tools: words,
        disallowedTools: words,
        uses: words,
        disallowedUses: words,
        schema: { type: "object" },
        prompt: { type: "string" },
      },
      required: ["executor", "command", "wants", "prompt"],
      additionalProperties: false,
    },
    effect: "opaque",
    unoffered: true,
    // The program's own time, and the run's, are over before.
    timeout: 2 ** 31 - 1,
    accesses: ({ executor }) => [{ type: "executor", name: executor }],
    async execute(input, context) {
      const { execute } = await import("./execute.ts")
      return execute(input, options, context)
    },
  })
