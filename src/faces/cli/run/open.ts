import { createRuntime } from "../../../assembly/create-runtime.ts"
import { openProject, type Project } from "../../../assembly/project/open-project.ts"
import type { Workspace } from "../../../definitions/registry/workspace.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import type { Store } from "../../../run/log/store.ts"
import { fileCache } from "../../../world/cache/file-cache.ts"
import type { ProcessContext } from "../command.ts"
import { locateCacheFolder } from "../stored-runs/runs-folder.ts"
import { placeIn } from "../trust/trust.ts"
import { openWorkspaceAt } from "../workspace.ts"
import type { Driving } from "./options.ts"

/** A workspace with its effective configuration, and a runtime that runs only trusted agents. */
export interface ProjectRuns extends Project {
  readonly runtime: Runtime
  readonly store: Store
}

interface Opening extends Pick<Driving, "trust" | "mode" | "sandbox"> {
  readonly model: "strict" | "lenient"
  readonly runs: "new" | "resumed"
}

export const openRuns = (surroundings: ProcessContext, store: Store, opening: Opening): ProjectRuns =>
  openRunsIn(surroundings, openWorkspaceAt(surroundings), store, opening)

/** Opens a runtime for a workspace that has been read already. `openRuns` reads the workspace itself. */
export function openRunsIn(
  surroundings: Around,
  workspace: Workspace,
  store: Store,
  { trust, mode, sandbox, model, runs }: Opening,
): ProjectRuns {
  const project = openProject({
    ...placeIn(surroundings),
    trust,
    mode,
    sandbox,
    runs,
    workspace,
    programParts: {
      strays: "contain",
      store,
      cache: fileCache(locateCacheFolder(surroundings)),
      ...(model === "strict" && { strictModel: true }),
    },
  })
  return { ...project, runtime: createRuntime(project.parts), store }
}

type Around = Pick<ProcessContext, "directory" | "environment">
