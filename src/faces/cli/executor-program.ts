import { findProgram } from "../../world/executors/find-program.ts"
import { buildChildEnvironment } from "../../world/sandbox/child-environment.ts"
import type { ProcessContext } from "./command.ts"

/** Looks for the program of an executor in the same places as a run. */
export function findExecutorProgram(
  [program]: readonly string[],
  { environment, root }: Pick<ProcessContext, "environment"> & { readonly root: string },
): ReturnType<typeof findProgram> {
  const { PATH = "" } = buildChildEnvironment(environment, { root, marker: "" })
  return findProgram(program!, PATH)
}
