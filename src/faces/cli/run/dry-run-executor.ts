import type { Agent } from "../../../agent/agent.ts"
import { resolveSandbox } from "../../../agent/executor.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { findExecutorProgram } from "../executor-program.ts"
import type { Driving } from "./options.ts"

/** The program that would run the agent. */
export interface DryRunExecutor {
  readonly name: string
  readonly command: readonly string[]
  /** The path of the program. Null if it was not found: `problem` says why. */
  readonly program: string | null
  readonly problem: string | null
  readonly sandbox: Configuration["sandbox"]
  readonly network: Configuration["network"]
  /** The names of variables that the program gets in addition to the harmless ones. */
  readonly environment: readonly string[]
}

/** Null if a model drives the run, or if the executor is not configured. */
export function describeExecutor(
  { executor: name }: Pick<Agent, "executor">,
  { executors, sandbox, network }: Configuration,
  driving: Pick<Driving, "sandbox">,
  around: Parameters<typeof findExecutorProgram>[1],
): DryRunExecutor | null {
  if (name === undefined || !Object.hasOwn(executors, name)) return null
  const settings = executors[name]!
  const program = findExecutorProgram(settings.command, around)
  return {
    name,
    command: settings.command,
    program: "path" in program ? program.path : null,
    problem: "problem" in program ? program.problem : null,
    sandbox: resolveSandbox(settings, driving.sandbox ?? sandbox),
    network: settings.network ?? network,
    environment: settings.environment ?? [],
  }
}
