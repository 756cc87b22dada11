import { executorToolName, findExecutorProblem, isExecutorName } from "../../agent/executor.ts"
import { defineTool, type Tool } from "../../agent/tool.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ExecutorInput } from "./input.ts"
import type { ExecutorToolOptions } from "./tool-options.ts"

const words = { type: "array", items: { type: "string" } } as const

/**
 * Makes the tool that runs executors, if any are configured. No model is offered this tool. Throws EXECUTOR_INVALID
 * with all problems at once.
 */
export function createExecutorTools(options: ExecutorToolOptions): readonly Tool[] {
  const executors = Object.entries(options.executors)
  const problems = executors.flatMap(([name, settings]) => {
    const problem = isExecutorName(name)
      ? findExecutorProblem(settings)
      : "has an invalid name: use letters, digits, `_`, `.` and `-`, at most 64"
    return problem === undefined ? [] : [`the executor ${JSON.stringify(name)} ${problem}`]
  })
  if (problems.length > 0)
    throw new CadreError("EXECUTOR_INVALID", `Invalid configuration: ${problems.join("; ")}.`)
  return executors.length === 0 ? [] : [executorTool(options)]
}

const executorTool = (options: ExecutorToolOptions): Tool =>
  defineTool<ExecutorInput>({
    name: executorToolName,
    description: "Runs the program that is the executor of an agent.",
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
    // The timeouts of the program and of the run end the call earlier.
    timeout: 2 ** 31 - 1,
    accesses: ({ executor }) => [{ type: "executor", name: executor }],
    async execute(input, context) {
      const { runExecutor } = await import("./execute.ts")
      return runExecutor(input, options, context)
    },
  })
