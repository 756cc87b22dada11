import path from "node:path"
import type { ReachableAgent } from "../../run/rights/reach.ts"
import type { Workspace } from "../registry/workspace.ts"
import { findTrustClaims, type TrustClaim } from "./claims.ts"
import { filterShownReach } from "./reach.ts"
import {
  findTrustChanges,
  type ShownFile,
  type TrustItem,
  type TrustRecord,
  type TrustStore,
} from "./trust.ts"

/** The trust of a workspace: the rights that its files would gain, and the user's record of trust. */
export interface WorkspaceTrust {
  readonly root: string
  readonly claims: readonly TrustClaim[]
  readonly record: TrustRecord | undefined
  /** The trust in a file with this content. */
  of(item: TrustItem): FileTrust
  /** The gains and text that were shown when the file was last trusted. */
  shown(file: string): ShownFile | undefined
  /** The reached agents of a file that were shown with it, and that ask for no more than they did then. */
  shownReach(file: string, reach: readonly ReachableAgent[]): readonly ReachableAgent[]
}

/** `changed`: the file was trusted with other content. */
export type FileTrust = "trusted" | "changed" | "unknown"

export function readWorkspaceTrust(workspace: Workspace, root: string, store: TrustStore): WorkspaceTrust {
  const record = store.read(root)
  let claims: readonly TrustClaim[] | undefined
  return {
    root,
    /** Read at first use, because a list of agents does not need them. */
    get claims() {
      claims ??= findTrustClaims(workspace, root)
      return claims
    },
    record,
    of: (item) => findTrustChanges(record, root, [item])[0]?.change ?? "trusted",
    shown(file) {
      const below = path.relative(root, file)
      const { shown = {} } = record ?? {}
      return Object.hasOwn(shown, below) ? shown[below] : undefined
    },
    shownReach: (file, reach) => filterShownReach(record?.reach, path.relative(root, file), reach),
  }
}

/** The addresses in trusted files: the user has seen each of them. */
export const collectTrustedEndpoints = ({ claims, of }: WorkspaceTrust): readonly string[] => [
  ...new Set(claims.filter((claim) => of(claim) === "trusted").flatMap(({ endpoints }) => endpoints)),
]

/** True if the current content of every configuration file of the project is trusted. */
export function isConfigurationTrusted(
  { configuration }: Workspace,
  { claims, of }: WorkspaceTrust,
): boolean {
  const own = claims.filter(({ file }) => configuration.files.includes(file))
  return own.length > 0 && own.every((claim) => of(claim) === "trusted")
}

/** The files in which the project defines agents. */
export const listAgentFiles = ({ claims }: WorkspaceTrust): readonly string[] =>
  claims.filter(({ agent }) => agent !== undefined).map(({ file }) => file)
