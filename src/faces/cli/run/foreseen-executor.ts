import type { Agent } from "../../../agent/agent.ts"
import { sandboxOf } from "../../../agent/executor.ts"
import type { Configuration } from "../../../definitions/configuration/configuration.ts"
import { programOf } from "../executor-program.ts"
import type { Driving } from "./options.ts"

/** The program that would do the run. */
export interface ForeseenExecutor {
  readonly name: string
  readonly command: readonly string[]
  /** Where it is; null: `problem` says why it is nowhere. */
  readonly program: string | null
  readonly problem: string | null
  readonly sandbox: Configuration["sandbox"]
  readonly network: Configuration["network"]
  /** Names of variables that it gets besides the harmless ones. */
  readonly environment: readonly string[]
}

/** Null: a model drives the run, or nobody has configured the program. */
export function foreseenExecutor(
  { executor: name }: Pick<Agent, "executor">,
  { executors, sandbox, network }: Configuration,
  driving: Pick<Driving, "sandbox">,
  around: Parameters<typeof programOf>[1],
): ForeseenExecutor | null {
  if (name === undefined || !Object.hasOwn(executors, name)) return null
  const settings = executors[name]!
  const found = programOf(settings.command, around)
  return {
    name,
    command: settings.command,
    program: "path" in found ? found.path : null,
    problem: "problem" in found ? found.problem : null,
    sandbox: sandboxOf(settings, driving.sandbox ?? sandbox),
    network: settings.network ?? network,
    environment: settings.environment ?? [],
  }
}
