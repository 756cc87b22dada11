import { findProgram } from "../../world/executors/find-program.ts"
import { childEnvironment } from "../../world/sandbox/child-environment.ts"
import type { Surroundings } from "./command.ts"

/** Where the program of an executor is, as a run would look for it. */
export function programOf(
  [program]: readonly string[],
  { environment, root }: Pick<Surroundings, "environment"> & { readonly root: string },
): ReturnType<typeof findProgram> {
  const { PATH = "" } = childEnvironment(environment, { root, marker: "" })
  return findProgram(program!, PATH)
}
