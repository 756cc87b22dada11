import type { Configuration } from "../../configuration/configuration.ts"
import { userConfigurationFolder } from "../../configuration/folders.ts"
import { createRuntime } from "../../create-runtime.ts"
import type { Workspace } from "../../registry/workspace.ts"
import type { Runtime } from "../../run/runtime.ts"
import type { Store } from "../../run/store.ts"
import type { Surroundings } from "../command.ts"
import { homeOf, ownConfiguration } from "../settings.ts"
import { workspaceOf } from "../workspace.ts"
import type { Driving } from "./options.ts"
import { trustedAgents } from "./trust.ts"

/** A workspace with what of its configuration may be followed, and a runtime that runs no more than may be run. */
export interface Opened {
  readonly workspace: Workspace
  readonly configuration: Configuration
  readonly runtime: Runtime
}

export function openRuns(
  surroundings: Surroundings,
  store: Store,
  { trust, model }: Pick<Driving, "trust"> & { readonly model: "strict" | "lenient" },
): Opened {
  const workspace = workspaceOf(surroundings)
  const configuration = trust === "all" ? workspace.configuration : ownConfiguration(surroundings)
  const runtime = createRuntime({
    strays: "contain",
    store,
    agents: trustedAgents(workspace.registry, trust),
    configuration,
    // What lies in a project is its code: nobody said that it may run.
    packagesFrom: trust === "all" ? surroundings.directory : userFolder(surroundings),
    ...(model === "strict" && { strictModel: true }),
  })
  return { workspace, configuration, runtime }
}

const userFolder = ({ environment }: Surroundings): string =>
  userConfigurationFolder(environment, homeOf({ environment }))
