import path from "node:path"
import type { Reached } from "../../run/rights/reach.ts"
import type { Workspace } from "../registry/workspace.ts"
import { type Claim, claimsOf } from "./claims.ts"
import { shownOf } from "./reach.ts"
import { changesSince, type ShownFile, type TrustItem, type TrustRecord, type TrustStore } from "./trust.ts"

/** How a workspace stands: what it would gain, and what a person has said of it. */
export interface Standing {
  readonly root: string
  readonly claims: readonly Claim[]
  readonly record: TrustRecord | undefined
  /** What was said of a file with this content. */
  of(item: TrustItem): FileStanding
  /** What people were shown when they last trusted a file. */
  shown(file: string): ShownFile | undefined
  /** Of those whom an agent's file reaches, whom people were shown with all that they ask for now. */
  shownReach(file: string, reach: readonly Reached[]): readonly Reached[]
}

/** `changed`: what was trusted is not what is there now. */
export type FileStanding = "trusted" | "changed" | "unknown"

export function standingOf(workspace: Workspace, root: string, store: TrustStore): Standing {
  const record = store.read(root)
  let claims: readonly Claim[] | undefined
  return {
    root,
    /** Read when somebody asks for them: a list of agents does not. */
    get claims() {
      claims ??= claimsOf(workspace, root)
      return claims
    },
    record,
    of: (item) => changesSince(record, root, [item])[0]?.change ?? "trusted",
    shown(file) {
      const below = path.relative(root, file)
      const { shown = {} } = record ?? {}
      return Object.hasOwn(shown, below) ? shown[below] : undefined
    },
    shownReach: (file, reach) => shownOf(record?.reach, path.relative(root, file), reach),
  }
}

/** Addresses that files name which are trusted as they are: a person has seen each of them. */
export const trustedEndpoints = ({ claims, of }: Standing): readonly string[] => [
  ...new Set(claims.filter((claim) => of(claim) === "trusted").flatMap(({ endpoints }) => endpoints)),
]

/** Whether every file of the project's configuration is trusted as it is. */
export function isConfigurationTrusted({ configuration }: Workspace, { claims, of }: Standing): boolean {
  const own = claims.filter(({ file }) => configuration.files.includes(file))
  return own.length > 0 && own.every((claim) => of(claim) === "trusted")
}

/** Where the project defines agents, wherever that is. */
export const definitionFiles = ({ claims }: Standing): readonly string[] =>
  claims.filter(({ agent }) => agent !== undefined).map(({ file }) => file)
